import { lazy, Suspense, type ComponentProps } from 'react';

const BothChanges = lazy(async () => ({ default: (await import('./both-changes.tsx')).BothChanges }));

/** Shown if someone else has changed what the user edits. Loaded then: many pages have a form, and few need it. */
export function Beside(both: ComponentProps<typeof BothChanges>) {
  return (
    <Suspense fallback={null}>
      <BothChanges {...both} />
    </Suspense>
  );
}
