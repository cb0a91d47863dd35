import { useId, type ReactNode } from 'react';
import kit from '../kit.module.css';

/** What ties a control to its label, to what is said about it, and to its fault. */
export type FieldControl = {
  id: string;
  'aria-invalid': boolean;
  'aria-required': boolean;
  'aria-describedby': string | undefined;
};

/** A control with its label, what it is, and what is wrong with it. */
export function Field({
  label,
  isRequired = false,
  isGroup = false,
  isPassing = false,
  about,
  fault,
  children,
}: {
  /** Absent: the control has a label of its own. */
  label?: ReactNode;
  isRequired?: boolean;
  /** Several controls with one label, which has the control's `id` with `-label`. */
  isGroup?: boolean;
  /** What is typed in it is meant for one call only. */
  isPassing?: boolean;
  about?: ReactNode;
  fault?: string | null | undefined;
  children: (control: FieldControl) => ReactNode;
}) {
  const id = useId();
  const describedBy = [about ? `${id}-about` : '', fault ? `${id}-fault` : ''].filter(Boolean).join(' ');
  return (
    <div className={kit.field} data-wrong={fault ? true : undefined} data-passing={isPassing || undefined}>
      {label === undefined ? null : (
        <Label id={id} isRequired={isRequired} isGroup={isGroup}>
          {label}
        </Label>
      )}
      {children({
        id,
        'aria-invalid': Boolean(fault),
        'aria-required': isRequired,
        'aria-describedby': describedBy || undefined,
      })}
      {about ? (
        <p id={`${id}-about`} className={`${kit.small} ${kit.muted}`}>
          {about}
        </p>
      ) : null}
      {fault ? (
        <p id={`${id}-fault`} className={kit.fault}>
          {fault}
        </p>
      ) : null}
    </div>
  );
}

// A label belongs to one control, and a group has its name from elsewhere.
function Label({
  id,
  isRequired,
  isGroup,
  children,
}: {
  id: string;
  isRequired: boolean;
  isGroup: boolean;
  children: ReactNode;
}) {
  return (
    <span>
      {isGroup ? (
        <span className={kit.label} id={`${id}-label`}>
          {children}
        </span>
      ) : (
        <label className={kit.label} htmlFor={id}>
          {children}
        </label>
      )}
      {isRequired ? (
        <span className={`${kit.small} ${kit.muted}`} aria-hidden>
          {' '}
          required
        </span>
      ) : null}
    </span>
  );
}
