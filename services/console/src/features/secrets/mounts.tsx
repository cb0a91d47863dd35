import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { mountsQuery } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded, Page } from '../../kit/page.tsx';

/** The mounts whose secrets can be synced. */
export function Mounts() {
  return (
    <Page title="Secrets" about="Mounts of KV version 2, whose secrets can be synced.">
      <Loaded query={useQuery(mountsQuery)}>
        {(mounts) =>
          mounts.length === 0 ? (
            <Empty title="No mount that you may see">
              Mount one with POST sys/mounts, or ask for a right to one.
            </Empty>
          ) : (
            <div className={`${kit.card} ${kit.flush}`}>
              <table className={kit.table}>
                <thead>
                  <tr>
                    <th scope="col">Mount</th>
                  </tr>
                </thead>
                <tbody>
                  {mounts.map((mount) => (
                    <tr key={mount}>
                      <td>
                        <Link to="/secrets/$" params={{ _splat: `${mount}/` }}>
                          {mount}/
                        </Link>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}
