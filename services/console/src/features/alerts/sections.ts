import type { FieldAnswer } from '../../../../api/contract/forms.ts';

const WHAT = new Set(['happenings', 'minutes', 'resolved', 'causes', 'destinations', 'namespaces']);

/** The parts of the form: where alerts go, what is told, and when it is quiet. */
export function sectionsOf(fields: FieldAnswer[]): { title: string; fields: FieldAnswer[] }[] {
  const isQuiet = ({ name }: FieldAnswer): boolean => name.startsWith('quiet_');
  const isWhat = ({ name }: FieldAnswer): boolean => WHAT.has(name);
  return [
    { title: 'Who', fields: fields.filter((field) => !isQuiet(field) && !isWhat(field)) },
    { title: 'What', fields: fields.filter(isWhat) },
    { title: 'Quiet hours', fields: fields.filter(isQuiet) },
  ];
}
