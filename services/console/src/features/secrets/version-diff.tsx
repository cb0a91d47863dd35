import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { diffQuery } from '../../api/queries.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { Loaded } from '../../kit/page.tsx';
import { Table } from '../../kit/table.tsx';
import { useOpened } from './lifecycle/use-opened.ts';

// In the order in which they are listed.
const WORDS = { changed: '~ changed', added: '+ added', removed: '− removed', same: '= same' };
const ORDER = Object.keys(WORDS);

/** Which keys differ between two versions. The values do not come to the browser. */
export function VersionDiff({
  mount,
  path,
  from,
  versions,
  close,
}: {
  mount: string;
  path: string;
  from: number;
  /** Those that can be compared, newest first. */
  versions: number[];
  close: () => void;
}) {
  const others = versions.filter((one) => one !== from);
  const [chosen, setChosen] = useState<number | undefined>();
  const heading = useOpened(from);
  const to = chosen !== undefined && others.includes(chosen) ? chosen : others[0];
  const [older, newer] = [Math.min(from, to ?? from), Math.max(from, to ?? from)];
  const query = useQuery({ ...diffQuery(mount, path, older, newer), enabled: to !== undefined });
  if (to === undefined) return null;
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="diff">
      <div className={`${kit.row} ${kit.spread}`}>
        <h2 id="diff" ref={heading} tabIndex={-1}>
          v{older} ↔ v{newer}
        </h2>
        <div className={kit.row}>
          {others.length > 1 ? <Other versions={others} value={to} choose={setChosen} /> : null}
          <Button onClick={close}>Close</Button>
        </div>
      </div>
      <Loaded query={query}>
        {({ keys }) => (
          <Table columns={['Key', 'Difference']}>
            {sortByDifference(keys).map(([key, difference]) => (
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

// What differs comes first.
function sortByDifference<Difference extends string>(
  keys: Record<string, Difference>,
): [string, Difference][] {
  return Object.entries<Difference>(keys).toSorted(
    ([, one], [, other]) => ORDER.indexOf(one) - ORDER.indexOf(other),
  );
}

function Other({
  versions,
  value,
  choose,
}: {
  versions: number[];
  value: number;
  choose: (version: number) => void;
}) {
  return (
    <label className={kit.row}>
      <span>Compare with</span>
      <select
        className={`${kit.input} ${kit.fit}`}
        value={value}
        onChange={({ target }) => choose(Number(target.value))}
      >
        {versions.map((one) => (
          <option key={one} value={one}>
            v{one}
          </option>
        ))}
      </select>
    </label>
  );
}
