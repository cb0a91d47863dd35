import { readFile } from '../../api/client.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import kit from '../../kit/kit.module.css';
import { AUDIT_PATH, queryOf, type EventFilter } from './events.ts';

const FORMATS = { csv: 'CSV', jsonl: 'JSON lines' } as const;

/** Saves all entries that match the filters as a file. */
export function Export({ filter }: { filter: EventFilter }) {
  const { busy, failure, attempt } = useAttempt();
  const save = async (format: keyof typeof FORMATS): Promise<void> => {
    const query = queryOf(filter);
    query.set('format', format);
    const address = URL.createObjectURL(await readFile(`${AUDIT_PATH}?${query.toString()}`));
    const link = document.createElement('a');
    link.href = address;
    link.download = `audit-events.${format}`;
    link.click();
    // The browser has begun to save it by then.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  };
  return (
    <div className={`${kit.stack} ${kit.tight}`}>
      <div className={kit.row}>
        {(['csv', 'jsonl'] as const).map((format) => (
          <Button key={format} busy={busy} onClick={() => void attempt(() => save(format))}>
            Export {FORMATS[format]}
          </Button>
        ))}
      </div>
      <Refusal failure={failure} />
    </div>
  );
}
