import { useState } from 'react';
import { ask } from '../../api/client.ts';
import { refusalAt } from '../../api/failure.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import { useWrongField } from '../../kit/refusing/wrong-field.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { Picker } from '../../kit/picker/picker.tsx';
import { usePathOptions } from './path-options.ts';

type Rights = { path: string; text: string; capabilities: string[] };

/** Shows what the present text would allow on a path. Nothing is stored. */
export function PolicyTester({ text }: { text: string }) {
  const [path, setPath] = useState('');
  const [rights, setRights] = useState<Rights | null>(null);
  const options = usePathOptions(path);
  const { busy, failure, attempt } = useAttempt();
  const [tested, setTested] = useState('');
  const test = (): Promise<boolean> =>
    attempt(async () => {
      setRights(null);
      setTested(text);
      if (path === '') throw refusalAt('path', 'Enter a path, such as secret/data/app/db.');
      const preview = {
        method: 'POST',
        path: 'sys/policies/preview',
        body: { policy: text, paths: [path] },
      } as const;
      const { capabilities } = await ask<{ capabilities: string[] }>(preview);
      setRights({ path, text, capabilities });
    });
  const form = useWrongField<HTMLFormElement>(failure);
  return (
    <form
      ref={form}
      noValidate
      className={`${kit.card} ${kit.stack} ${kit.tight}`}
      onSubmit={(event) => {
        event.preventDefault();
        void test();
      }}
    >
      <h2>Test a path</h2>
      <p className={kit.muted}>Tests the text above, saved or not. A folder ends in a slash.</p>
      <div className={kit.row}>
        <Picker
          options={options}
          aria-label="Path"
          placeholder="secret/data/app/db"
          aria-required
          aria-invalid={failure !== null && path === ''}
          value={path}
          change={setPath}
        />
        <Button type="submit" busy={busy}>
          Test
        </Button>
      </div>
      <Refusal failure={tested === text ? failure : null} />
      {rights?.text === text ? (
        <Notice tone={rights.capabilities[0] === 'deny' ? 'limited' : 'ok'}>
          <code>{rights.path}</code> → {rights.capabilities.join(', ')}
        </Notice>
      ) : null}
    </form>
  );
}
