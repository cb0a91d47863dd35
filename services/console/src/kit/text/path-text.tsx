import { Fragment } from 'react';
import kit from '../kit.module.css';

// No column may be wide enough for a longer part.
const LONG = 28;

/** A name that breaks behind its slashes and between its words where its column is narrow, rather than inside a word. */
export function PathText({ path }: { path: string }) {
  return path.split(/(?<=[/_.])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 ? <wbr /> : null}
      {part.length > LONG ? <span className={kit.anywhere}>{part}</span> : part}
    </Fragment>
  ));
}
