import type { DestinationTypeAnswer, FieldAnswer, SignInModeAnswer } from '../../../../api/contract/forms.ts';
import type { Edits } from '../../schema-form/schema-form.tsx';

/** `chosen`: the mode that somebody chose; null: none yet. */
type Typed = { values: Record<string, unknown>; edits: Edits; chosen: string | null };

/** The mode that is chosen, or else that of what is stored and typed; what nobody has begun is in the first one. */
export function modeOf(
  { modes }: DestinationTypeAnswer,
  { values, edits, chosen }: Typed,
): SignInModeAnswer | undefined {
  // Text that is being replaced is empty for a while; what is taken away is null.
  const isSet = (name = ''): boolean =>
    Object.hasOwn(edits, name) ? edits[name] !== null : (values[name] ?? '') !== '';
  const found = modes.find(({ mode }) => mode === chosen) ?? modes.find(({ required }) => isSet(required[0]));
  const isStored = Object.keys(values).length > 0 && Object.hasOwn(values, 'granularity');
  return found ?? (isStored ? modes.find(({ required }) => required.length === 0) : undefined) ?? modes[0];
}

/** The settings that belong to some mode. */
export function fieldsOfModes({ modes, settings }: DestinationTypeAnswer): FieldAnswer[] {
  const names = new Set(modes.flatMap(({ fields }) => fields));
  return settings.filter(({ name }) => names.has(name));
}

/** The settings of one mode, in its order, and those of other modes that have a fault. */
export function fieldsOfMode(
  schema: DestinationTypeAnswer,
  mode: SignInModeAnswer,
  faults: Record<string, string>,
): FieldAnswer[] {
  const all = fieldsOfModes(schema);
  const own = mode.fields.flatMap((name) => all.find((field) => field.name === name) ?? []);
  const others = all.filter((field) => !own.includes(field) && Object.hasOwn(faults, field.name));
  return [...withRequired(own, mode), ...others];
}

/** Settings with a mark on those without which a destination is not in the mode. */
export function withRequired(fields: FieldAnswer[], mode: SignInModeAnswer | undefined): FieldAnswer[] {
  return fields.map((field) => (mode?.required.includes(field.name) ? asRequired(field) : field));
}

// What counts without it does not matter where it must be given.
function asRequired(field: FieldAnswer): FieldAnswer {
  const description = field.description?.replace(/ ?\bDefault: [^.]*\./, '');
  return { ...field, is_required: true, ...(description === undefined ? {} : { description }) };
}

/**
 * What is typed after a change of the mode: settings that only other modes have go, those that are stored too, and what
 * is usual in this one is filled in.
 */
export function editsIn(
  schema: DestinationTypeAnswer,
  mode: SignInModeAnswer,
  { values, edits }: Omit<Typed, 'chosen'>,
): Edits {
  const names = fieldsOfModes(schema).map(({ name }) => name);
  const kept = Object.entries(edits).filter(
    ([name, value]) => !names.includes(name) || (mode.fields.includes(name) && value !== null),
  );
  const gone = names.filter((name) => !mode.fields.includes(name) && (values[name] ?? '') !== '');
  const usual = Object.entries(mode.usual).filter(([name]) => (values[name] ?? '') === '');
  return {
    ...Object.fromEntries(usual),
    ...Object.fromEntries(kept),
    ...Object.fromEntries(gone.map((name) => [name, null])),
  };
}

/** What was typed in the settings of `mode`, which is being left, and in those of modes that were left before. */
export function leftBehind(
  schema: DestinationTypeAnswer,
  mode: SignInModeAnswer,
  { edits, left }: { edits: Edits; left: Edits },
): Edits {
  const ofModes = new Set(fieldsOfModes(schema).map(({ name }) => name));
  const before = Object.entries(left).filter(([name]) => !mode.fields.includes(name));
  const typed = Object.entries(edits).filter(([name, value]) => ofModes.has(name) && value !== null);
  return Object.fromEntries([...before, ...typed]);
}
