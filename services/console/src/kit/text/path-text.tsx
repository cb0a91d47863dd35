import { Fragment } from 'react';

/** A path that breaks behind its slashes, where its column is narrow, rather than inside a word. */
export function PathText({ path }: { path: string }) {
  return path.split('/').map((part, index) => (
    <Fragment key={index}>
      {index > 0 ? (
        <>
          /<wbr />
        </>
      ) : null}
      {part}
    </Fragment>
  ));
}
