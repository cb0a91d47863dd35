import type { AlertAnswer } from '../../../../api/contract/alerts.ts';
import type { FieldAnswer } from '../../../../api/contract/forms.ts';

const WHAT = ['happenings', 'minutes', 'resolved'];
const ONLY = ['causes', 'destinations', 'namespaces'];

/** The parts of the form: where alerts go, what is told, and, folded, what few rules need. */
export function sectionsOf(
  fields: FieldAnswer[],
  rule: Partial<AlertAnswer> = {},
): { title: string; fields: FieldAnswer[]; isFolded?: 'always'; isOpen?: boolean }[] {
  const isOnly = [rule.causes, rule.destinations, rule.namespaces].some((list) => (list ?? []).length > 0);
  const isQuiet = ({ name }: FieldAnswer): boolean => name.startsWith('quiet_');
  const named = (names: string[]): FieldAnswer[] => fields.filter(({ name }) => names.includes(name));
  const rest = fields.filter((field) => !isQuiet(field) && ![...WHAT, ...ONLY].includes(field.name));
  // A rule is on unless somebody switches it off.
  const who = [...rest.filter(({ name }) => name !== 'enabled'), ...named(['enabled'])];
  return [
    { title: 'Who', fields: who },
    { title: 'What', fields: named(WHAT) },
    {
      title: 'Only some causes, destinations or namespaces',
      fields: named(ONLY),
      isFolded: 'always',
      isOpen: isOnly,
    },
    {
      title: 'Quiet hours',
      fields: fields.filter(isQuiet),
      isFolded: 'always',
      isOpen: Boolean(rule.quiet_from),
    },
  ];
}
