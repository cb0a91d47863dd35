import kit from '../../../kit/kit.module.css';
import { keepText, useRange } from '../range.ts';
import type { Picked } from './picked.ts';

/** Secrets to tick. `cut`: how much of each path is not shown, because it is the folder's. */
export function Choices({ paths, picked, cut = 0 }: { paths: string[]; picked: Picked; cut?: number }) {
  const rangeOf = useRange();
  return paths.map((path, index) => (
    <label key={path} className={kit.check} onMouseDown={keepText}>
      <input
        type="checkbox"
        checked={picked.has.has(path)}
        onChange={(event) => {
          const range = rangeOf(index, event).flatMap((place) => paths[place] ?? []);
          if (event.target.checked) picked.add(range);
          else picked.remove(range);
        }}
      />
      <span>{path.slice(cut)}</span>
    </label>
  ));
}
