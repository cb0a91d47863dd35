import type { RecordAnswer } from '../../../../../api/contract/associations.ts';
import { Time } from '../../../kit/time.tsx';
import { useAttempts } from '../attempts.ts';
import { formerlyOurs } from '../doubts/last-known.ts';
import type { SecretName } from '../../secrets/split-path.ts';

// A secret may have very many keys.
const MOST_NAMED = 3;

/** Says of the entries in the way which of them were Sealift’s, until someone replaced them. */
export function ReplacedEntries({
  records,
  keys,
  ...linked
}: {
  type: string;
  name: string;
  secret: SecretName;
  records: RecordAnswer[];
  /** Those whose entries are in the way. */
  keys: string[];
}) {
  const attempts = useAttempts(linked).data?.pages.flat() ?? [];
  const replaced = records.flatMap(({ sub_key: key, external_name: name }) => {
    const former = keys.includes(key) ? formerlyOurs(attempts, name) : undefined;
    return former ? [{ ...former, key, name }] : [];
  });
  return replaced.slice(0, MOST_NAMED).map(({ key, name, version, found }) => (
    <p key={name}>
      {key ? (
        <>
          The entry of key <code>{key}</code>
        </>
      ) : (
        'The entry'
      )}{' '}
      was Sealift’s, with v{version}, until someone deleted it and made it again, or took Sealift’s mark away.
      That was found <Time at={found} />. If its value is saved in the secret by now, choose Adopt.
    </p>
  ));
}
