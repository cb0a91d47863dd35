import kit from '../../kit/kit.module.css';
import { partsOfMessage } from './cause-message.ts';

/** What a cause says; the id that the store gave to the request has a line of its own. */
export function CauseText({ cause }: { cause: { message: string } | null }) {
  if (!cause) return null;
  const { text, id } = partsOfMessage(cause.message);
  return (
    <>
      <p className={kit.muted}>{text.charAt(0).toUpperCase() + text.slice(1)}</p>
      {id ? <p className={`${kit.small} ${kit.muted}`}>Request ID of the store: {id}</p> : null}
    </>
  );
}
