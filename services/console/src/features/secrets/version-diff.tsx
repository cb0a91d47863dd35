import { useQuery } from '@tanstack/react-query';
import { diffQuery } from '../../api/queries.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { Loaded } from '../../kit/page.tsx';
import { Table } from '../../kit/table.tsx';

const WORDS = { added: '+ added', removed: '− removed', changed: '~ changed', same: '= same' };

/** Which keys differ between two versions. The values do not come to the browser. */
export function VersionDiff({
  mount,
  path,
  from,
  to,
  close,
}: {
  mount: string;
  path: string;
  from: number;
  to: number;
  close: () => void;
}) {
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="diff">
      <div className={`${kit.row} ${kit.spread}`}>
        <h2 id="diff">
          v{from} ↔ v{to}
        </h2>
        <Button onClick={close}>Close</Button>
      </div>
      <Loaded query={useQuery(diffQuery(mount, path, from, to))}>
        {({ keys }) => (
          <Table columns={['Key', 'Difference']}>
            {Object.entries(keys).map(([key, difference]) => (
              <tr key={key}>
                <td>{key}</td>
                <td>{WORDS[difference]}</td>
              </tr>
            ))}
          </Table>
        )}
      </Loaded>
    </section>
  );
}
