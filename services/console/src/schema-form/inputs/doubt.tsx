import kit from '../../kit/kit.module.css';
import { usePaused } from '../../kit/paused.ts';

/** What is said of a value that does not look as such values do, once nobody types any more. It is taken all the same. */
export function Doubt({ unless, text, value }: { unless: string; text: string; value: string }) {
  const paused = usePaused(value);
  const isOdd = paused !== '' && !new RegExp(unless, 'u').test(paused);
  return (
    <span role="status" className={isOdd ? `${kit.block} ${kit.doubt}` : undefined}>
      {isOdd ? `This ${text}.` : ''}
    </span>
  );
}
