import type { ReactNode } from 'react';
import kit from './kit.module.css';

/** The heading of a column whose buttons speak for themselves: screen readers alone are told. */
export const ACTIONS = 'Actions';

/** A table in a card; its rows are cards where the screen is narrow. */
export function Table({ columns, children }: { columns: string[]; children: ReactNode }) {
  return (
    <div className={`${kit.card} ${kit.flush}`}>
      <table className={`${kit.table} ${kit.cards}`}>
        <thead>
          <tr>
            {columns.map((title) => (
              <th key={title} scope="col">
                {title === ACTIONS ? <span className={kit.hidden}>{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
