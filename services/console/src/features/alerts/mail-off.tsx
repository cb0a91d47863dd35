import { Link } from '@tanstack/react-router';

/** Whether a text of the API says that nothing was sent because the site sends no email. */
export function isMailOff(text: string): boolean {
  return /^(?:Not sent: )?email is not enabled/.test(text);
}

/** Says so, and where that is changed, as the end of a sentence. */
export function MailOff() {
  return (
    <>
      email is off. A site administrator can turn it on under{' '}
      <Link to="/settings/$kind" params={{ kind: 'smtp' }}>
        Settings › SMTP
      </Link>
      .
    </>
  );
}
