import { readFile } from '../../api/client.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import { spanFaults } from '../../kit/picker/span.ts';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import kit from '../../kit/kit.module.css';
import { saveFile } from '../../kit/text/save-file.ts';
import { AUDIT_PATH, EVERY_NAMESPACE, queryOf, type EventFilter } from './events.ts';

const LONGEST_NAME = 120;

const FORMATS = { csv: 'CSV', jsonl: 'JSON lines' } as const;

/** Saves all entries that match the filters as a file. */
export function Export({ filter }: { filter: EventFilter }) {
  const { busy, failure, attempt } = useAttempt();
  const { title } = spanFaults(filter);
  const save = async (format: keyof typeof FORMATS): Promise<void> => {
    const query = queryOf(filter);
    query.set('format', format);
    const content = await readFile(`${AUDIT_PATH}?${query.toString()}`);
    saveFile(content, `${fileNameOf(filter)}.${format}`);
  };
  return (
    <div className={`${kit.stack} ${kit.tight}`}>
      <div className={kit.row}>
        {(['csv', 'jsonl'] as const).map((format) => (
          <Button
            key={format}
            busy={busy}
            disabled={title !== undefined}
            title={title}
            onClick={() => void attempt(() => save(format))}
          >
            Export {FORMATS[format]}
          </Button>
        ))}
      </div>
      <Refusal failure={failure} />
    </div>
  );
}

// Says what is in the file; the end is open until the export.
function fileNameOf({ since, until, ...filter }: EventFilter): string {
  const day = (time: string): string => time.slice(0, 10);
  const span = [since ? day(since) : '', 'to', day(until ?? new Date().toISOString())].filter(Boolean);
  const words = Object.values(filter).filter((one) => typeof one === 'string' && one !== EVERY_NAMESPACE);
  return ['audit-events', ...words, ...span]
    .join('_')
    .replaceAll(/[^\p{L}\p{N}._@-]+/gu, '-')
    .slice(0, LONGEST_NAME);
}
