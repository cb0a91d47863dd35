import kit from '../../../kit/kit.module.css';

/** Which of the entries that are in the way are to be adopted or overwritten: all of them, or those of some keys. */
export function ChosenKeys({
  keys,
  spared,
  spare,
}: {
  keys: string[];
  spared: ReadonlySet<string>;
  spare: (keys: ReadonlySet<string>) => void;
}) {
  return (
    <fieldset className={`${kit.stack} ${kit.tight}`}>
      <legend>Entries to adopt or overwrite</legend>
      <div className={kit.row}>
        {keys.map((key) => (
          <label key={key} className={kit.check}>
            <input
              type="checkbox"
              checked={!spared.has(key)}
              onChange={({ target }) =>
                spare(new Set(target.checked ? [...spared].filter((one) => one !== key) : [...spared, key]))
              }
            />
            <span>{key}</span>
          </label>
        ))}
      </div>
      {keys.every((key) => spared.has(key)) ? (
        <p className={kit.muted}>Select at least one key to adopt or overwrite its entry.</p>
      ) : null}
    </fieldset>
  );
}
