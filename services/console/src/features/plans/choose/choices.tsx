import kit from '../../../kit/kit.module.css';
import type { Picked } from './picked.ts';

/** Secrets to tick. `cut`: how much of each path is not shown, because it is the folder's. */
export function Choices({ paths, picked, cut = 0 }: { paths: string[]; picked: Picked; cut?: number }) {
  return paths.map((path) => (
    <label key={path} className={kit.check}>
      <input
        type="checkbox"
        checked={picked.has.has(path)}
        onChange={(event) => (event.target.checked ? picked.add([path]) : picked.remove([path]))}
      />
      <span>{path.slice(cut)}</span>
    </label>
  ));
}
