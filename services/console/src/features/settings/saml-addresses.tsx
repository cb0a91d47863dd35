import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '../../kit/copy/copy-button.tsx';
import kit from '../../kit/kit.module.css';

const METADATA = '/users/saml/metadata';

/** What the identity provider must know of this service. */
export function SamlAddresses() {
  const { data } = useQuery({ queryKey: ['saml-metadata'], queryFn: readMetadata, retry: false });
  if (data === undefined) return null;
  return (
    <section className={`${kit.card} ${kit.stack} ${kit.tight}`} aria-labelledby="for-idp">
      <h2 id="for-idp">What the identity provider needs</h2>
      {data === null ? (
        <p>Not known yet: the operator must set PUBLIC_URL.</p>
      ) : (
        <>
          {Object.entries(data).map(([label, text]) => (
            <div key={label} className={kit.row}>
              <span className={kit.label}>{label}</span>
              <code>{text}</code>
              <CopyButton text={text}>{`Copy the ${label}`}</CopyButton>
            </div>
          ))}
          <p>
            <a href={METADATA} download="sealift-saml-metadata.xml">
              Download metadata (XML)
            </a>
          </p>
        </>
      )}
    </section>
  );
}

// Null: the service does not know its own address.
async function readMetadata(): Promise<Record<string, string> | null> {
  const answer = await fetch(METADATA);
  if (!answer.ok) return null;
  const text = await answer.text();
  const entity = /entityID="([^"]+)"/.exec(text)?.[1];
  const assertions = /AssertionConsumerService[^>]*Location="([^"]+)"/.exec(text)?.[1];
  return entity && assertions ? { 'Entity ID': entity, 'ACS URL': assertions } : null;
}
