import kit from '../../kit/kit.module.css';
import { PathText } from '../../kit/text/path-text.tsx';

/** The entry in the store that a line is about; nothing where no name was kept. */
export function EntryName({ name }: { name: string | null }) {
  if (name === null) return null;
  return (
    <p className={`${kit.small} ${kit.muted}`}>
      Entry{' '}
      <code>
        <PathText path={name} />
      </code>
    </p>
  );
}
