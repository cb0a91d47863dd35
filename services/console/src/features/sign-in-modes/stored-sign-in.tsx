import { useState, type ComponentProps } from 'react';
import type { Edits } from '../../schema-form/schema-form.tsx';
import { SignInMode } from './sign-in-mode.tsx';

/** How a stored destination signs in. What was typed for a way that was left is kept until it is saved or discarded. */
export function StoredSignIn({
  edits,
  edit,
  ...props
}: Omit<ComponentProps<typeof SignInMode>, 'chosen' | 'left' | 'choose'>) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [left, setLeft] = useState<Edits>({});
  const [own, setOwn] = useState(edits);
  // After a save, or when all is discarded, nothing is typed any more.
  const isOver = Object.keys(edits).length === 0 && edits !== own;
  return (
    <SignInMode
      {...props}
      edits={edits}
      chosen={chosen}
      left={isOver ? {} : left}
      choose={(mode, behind) => {
        setChosen(mode);
        setLeft(behind);
      }}
      edit={(next) => {
        setOwn(next);
        edit(next);
      }}
    />
  );
}
