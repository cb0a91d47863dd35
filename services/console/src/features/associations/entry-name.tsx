import kit from '../../kit/kit.module.css';

/** The entry in the store that a line is about; nothing where no name was kept. */
export function EntryName({ name }: { name: string | null }) {
  if (name === null) return null;
  return (
    <p className={`${kit.small} ${kit.muted}`}>
      Entry <code>{name}</code>
    </p>
  );
}
