import { queryOptions, useQuery } from '@tanstack/react-query';
import type { SigningKeysAnswer } from '../../../../api/contract/administration.ts';
import type { SettingsActionAnswer } from '../../../../api/contract/forms.ts';
import { call } from '../../api/client.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { Loaded } from '../../kit/page.tsx';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { Table } from '../../kit/table.tsx';
import { counted } from '../../kit/text/counted.ts';
import { Time } from '../../kit/time.tsx';
import { SettingsAction } from './action.tsx';

type Keys = SigningKeysAnswer['data'];

const PATH = 'api/v2/admin/oidc-settings/signing-keys';
const READ = [{ path: PATH, capability: 'read' }];

const signingKeysQuery = queryOptions({
  // After an action on settings, all of them are read again.
  queryKey: ['settings', 'oidc', 'signing-keys'],
  queryFn: async () => (await call<SigningKeysAnswer>('GET', `/${PATH}`)).data,
});

function useSigningKeys() {
  return useQuery({ ...signingKeysQuery, enabled: useHasRights(READ) });
}

const NO_OLD_KEY = 'There is no old key: only the one that signs.';

/** Which keys there are, which of them signs, when the others can go, and what can be done with them. */
export function SigningKeys({ actions }: { actions: SettingsActionAnswer[] }) {
  const former = useSigningKeys().data?.data.filter(({ attributes }) => attributes['replaced-at'] !== null);
  return (
    <>
      {useHasRights(READ) ? <KeyTable /> : null}
      {actions.map((action) => {
        const isTrim = action.path.endsWith('/trim-key');
        return (
          <SettingsAction
            key={action.path}
            action={action}
            type="oidc-settings"
            idle={isTrim && former ? (former.length === 0 ? NO_OLD_KEY : '') : undefined}
          >
            {isTrim && former ? <TrimmedKeys keys={former} /> : undefined}
          </SettingsAction>
        );
      })}
    </>
  );
}

function KeyTable() {
  return (
    <section className={`${kit.card} ${kit.stack} ${kit.tight}`} aria-labelledby="signing-keys">
      <h2 id="signing-keys">Keys</h2>
      <p className={kit.muted}>
        The newest key signs the identity tokens of destinations and the tokens of workloads. A token is valid
        for 24 hours at most.
      </p>
      <Loaded query={useSigningKeys()}>
        {({ data: keys, meta }) =>
          keys.length === 0 ? (
            <p>No key yet: the first token makes one.</p>
          ) : (
            <>
              <Table columns={['Key ID (kid)', 'Created', 'State']}>
                {keys.map((key) => (
                  <tr key={key.id}>
                    <td>
                      <code>{key.id}</code>
                    </td>
                    <td>
                      <Time at={key.attributes['created-at']} />
                    </td>
                    <td>
                      <State of={key} />
                    </td>
                  </tr>
                ))}
              </Table>
              <p>
                The next key is made <Time at={meta['rotates-at']} />.{' '}
                {keys.length > 1 ? (
                  <>
                    {keys.length === 2 ? 'The old key goes' : 'The old keys go'}{' '}
                    <Time at={meta['trims-at']} />.
                  </>
                ) : (
                  'This one then stays for another 30 days.'
                )}
              </p>
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function State({ of: { attributes } }: { of: Keys[number] }) {
  const replaced = attributes['replaced-at'];
  if (replaced === null) return 'Signs new tokens';
  return (
    <>
      <p>
        Replaced <Time at={replaced} />
      </p>
      <LastToken end={attributes['last-token-ends-at']} />
    </>
  );
}

function LastToken({ end }: { end: string | Date | null }) {
  if (!isAhead(end)) return <p>None of its tokens is valid any more</p>;
  return (
    <p>
      Its last token ends <Time at={end} />
    </p>
  );
}

// What a trim takes away.
function TrimmedKeys({ keys }: { keys: Keys }) {
  const living = keys.filter(({ attributes }) => isAhead(attributes['last-token-ends-at']));
  return (
    <>
      <p>{counted(keys.length, 'old key')} will be removed, permanently:</p>
      <ul>
        {keys.map(({ id, attributes }) => (
          <li key={id}>
            <code>{id}</code>
            <LastToken end={attributes['last-token-ends-at']} />
          </li>
        ))}
      </ul>
      {living.length > 0 ? (
        <Notice tone="limited">
          Whoever holds a valid token of {living.length === 1 ? 'this key' : 'these keys'} is refused from
          then on. Stores that keep a copy of the keys may take it for up to a day more.
        </Notice>
      ) : null}
    </>
  );
}

function isAhead(end: string | Date | null): boolean {
  return end !== null && new Date(end).getTime() > Date.now();
}
