import type { ReactNode } from 'react';
import kit from '../../kit/kit.module.css';
import { textOf } from '../../schema-form/fields.ts';
import styles from './preview.module.css';

// The preset, which the service shows to nobody.
const NOBODY = 'support@sealift.example';

/** The pages that show the texts for people, as they would look. Texts are only texts: nothing in them runs. */
export function Preview({ texts }: { texts: Record<string, unknown> }) {
  const text = (name: string): string => textOf(texts[name]);
  const support = text('support-email-address') === NOBODY ? '' : text('support-email-address');
  const ending = (
    <>
      <Lines text={text('login-help')} />
      <Lines text={support && `Support: ${support}`} />
      <Lines text={text('footer')} />
    </>
  );
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="preview">
      <h3 id="preview">Preview</h3>
      <div className={styles.pages} inert>
        <Sheet about="Sign-in page" title="Sign in to Sealift">
          <p className={kit.muted}>Single sign-on, or a token</p>
          <Lines text={text('login-help')} />
          <Lines text={support && `Help: ${support}`} />
        </Sheet>
        <Sheet about="The console, for whoever has no permissions yet" title="Welcome to Sealift">
          <p className={kit.muted}>You are signed in, but you have no permissions yet.</p>
          <Lines text={text('new-user')} />
          <Lines text={support && `Help: ${support}`} />
        </Sheet>
        <Sheet about="After a SAML login without the console" title="Logged in">
          <p className={kit.muted}>The token, shown once</p>
          <Lines text={text('new-user')} />
          {ending}
        </Sheet>
        <Sheet about="After an unexpected error in a SAML login" title="Not logged in">
          <Lines text={text('error')} />
          {ending}
        </Sheet>
      </div>
    </section>
  );
}

function Sheet({ about, title, children }: { about: string; title: string; children: ReactNode }) {
  return (
    <figure className={`${kit.stack} ${kit.tight} ${styles.figure}`}>
      <figcaption className={`${kit.small} ${kit.muted}`}>{about}</figcaption>
      <div className={`${kit.card} ${kit.stack} ${kit.tight} ${styles.sheet}`}>
        <p className={styles.title}>{title}</p>
        {children}
      </div>
    </figure>
  );
}

function Lines({ text }: { text: string }) {
  return text === '' ? null : <p className={kit.lines}>{text}</p>;
}
