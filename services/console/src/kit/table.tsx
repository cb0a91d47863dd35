import type { CSSProperties, ReactNode } from 'react';
import kit from './kit.module.css';

/** The heading of a column of buttons. It is only for screen readers, because the buttons explain themselves. */
export const ACTIONS = 'Actions';

/** A table in a card. On a narrow screen its rows are cards, and each cell begins with the name of its column. */
export function Table({ columns, children }: { columns: string[]; children: ReactNode }) {
  return (
    <div className={`${kit.card} ${kit.flush}`}>
      <table className={`${kit.table} ${kit.cards}`} style={titlesOf(columns)}>
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

// Longer titles of several words take two lines beside the cells of a card.
const MOST_LETTERS = 10;

// The CSS variables `--column-1` and so on, which kit.module.css shows before the cells of a card, and the height of long ones.
function titlesOf(columns: string[]): CSSProperties {
  return Object.fromEntries(
    columns.flatMap((title, index) =>
      title === ACTIONS
        ? []
        : [
            [`--column-${index + 1}`, JSON.stringify(title)],
            ...(title.includes(' ') && title.length > MOST_LETTERS
              ? [[`--height-${index + 1}`, '2.5rem']]
              : []),
          ],
    ),
  );
}
