import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileKey, Folder as FolderIcon } from 'lucide-react';
import { useState } from 'react';
import { folderQuery } from '../../api/queries.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded } from '../../kit/page.tsx';
import { Search } from '../../kit/search.tsx';

const MOST_SHOWN = 500;

/** The contents of a folder of a mount; an empty folder is the mount itself. */
export function Folder({ mount, folder }: { mount: string; folder: string }) {
  const [search, setSearch] = useState('');
  const base = [mount, folder].filter(Boolean).join('/');
  return (
    <Loaded query={useQuery(folderQuery(mount, folder))}>
      {(keys) => {
        const matching = keys.filter((key) => key.toLowerCase().includes(search.toLowerCase()));
        if (keys.length === 0)
          return <Empty title="Nothing is here">Write a secret with any KV client.</Empty>;
        return (
          <>
            <Search label="Filter by name" value={search} set={(text = '') => setSearch(text)} />
            {matching.length === 0 ? (
              <Empty
                title="No name matches"
                action={<Button onClick={() => setSearch('')}>Clear the filter</Button>}
              />
            ) : null}
            <div className={`${kit.card} ${kit.flush}`} hidden={matching.length === 0}>
              <table className={kit.table}>
                <thead>
                  <tr>
                    <th scope="col">
                      {matching.length > MOST_SHOWN
                        ? `The first ${MOST_SHOWN} of ${matching.length}: filter to see the others`
                        : 'Name'}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {matching.slice(0, MOST_SHOWN).map((key) => (
                    <tr key={key}>
                      <td>
                        <span className={kit.row}>
                          {key.endsWith('/') ? (
                            <FolderIcon size={16} aria-hidden />
                          ) : (
                            <FileKey size={16} aria-hidden />
                          )}
                          <Link to="/secrets/$" params={{ _splat: `${base}/${key}` }}>
                            {key}
                          </Link>
                        </span>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        );
      }}
    </Loaded>
  );
}
