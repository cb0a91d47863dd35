import kit from '../../../kit/kit.module.css';
import { LongText } from '../../../kit/text/long-text.tsx';

/** All keys and values of a secret as one JSON document. */
export function DocumentField({
  text,
  fault,
  change,
}: {
  text: string;
  fault: string;
  change: (text: string) => void;
}) {
  return (
    <div className={`${kit.stack} ${kit.tight}`}>
      <p className={kit.muted}>
        These are all values. The audit trail has an entry that you have seen them. A key that you take out is
        deleted.
      </p>
      <LongText
        aria-label="The secret as JSON"
        aria-invalid={fault !== ''}
        rows={14}
        isSecret
        value={text}
        change={change}
      />
      {fault ? <p className={kit.fault}>{fault}</p> : null}
    </div>
  );
}
