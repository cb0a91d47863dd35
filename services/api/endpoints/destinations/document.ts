import { Type, type TObject, type TSchema } from 'typebox';
import type { Destination, Granularity, OperatorSettings } from '../../../../libs/connector/contract.ts';
import { defaultTemplate } from '../../../../libs/connector/names.ts';
import { withoutIdleLimits } from '../../../../libs/connector/network.ts';
import { isSensitive, settingsOf } from '../../../../libs/connector/settings.ts';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import {
  destinationOptionNames,
  type DestinationOptions,
  type DestinationRow,
} from '../../../../libs/store/destinations/destinations.ts';
import type { DestinationDocument } from '../../../../libs/store/destinations/write.ts';
import { isJsonObject } from '../../../../libs/validation/lossless.ts';
import { loosen } from '../../../../libs/validation/loosen.ts';
import { mergePatch } from '../../../../libs/validation/merge-patch.ts';
import { createValidator, type Checked, type Fault } from '../../../../libs/validation/validator.ts';
import { secretsDialect } from '../../routing/dialects/secrets.ts';
import { destinationOptions, optionDefaults } from '../../destination-options.ts';
import { applyUnlessFaulty, rulesFor, type Whole } from './refusals/rules.ts';
import { refuseUnsupported } from './refusals/unsupported.ts';
import { asNew } from './when-new.ts';

const ONLY_ASTERISKS = /^\*+$/;

type Given = { settings: Record<string, unknown> } & Partial<DestinationOptions>;
type Check = (input: unknown) => Checked<unknown>;
/** `checkPart` requires no field. */
type Rules = { patch: TObject; check: Check; checkPart: Check };

const rulesByType = new Map<string, Rules>();

/** The destination after a call; `unknown` are the keys that were ignored, `warnings` what the caller should know. */
export type Composed = { document: DestinationDocument; unknown: string[]; warnings: string[] };

/**
 * Merges what a caller sent over `base` (the present destination as it reads, or nothing), fills in what the caller
 * left unchanged, and checks the whole. `secrets` returns the present sensitive settings, and is called only if they
 * are needed. `isNew`: there is no present destination. Throws 400.
 */
export function composeDocument(
  type: Destination,
  input: {
    base: Record<string, unknown>;
    body: Record<string, unknown>;
    secrets: () => Record<string, unknown>;
    namePrefix: string;
    isNew: boolean;
    /** `iss` and `sub` of the destination's identity tokens. */
    issuer: string;
    subject: string;
  },
  operator: OperatorSettings,
): Composed {
  const rules = rulesOf(type);
  refuseUnsupported(type, rules.patch.properties, input.body);
  const { tags_to_remove: removedTags, ...patch } = loosen(rules.patch, input.body) as Record<
    string,
    unknown
  >;
  const merged = mergePatch(input.base, patch) as Record<string, unknown>;
  const filled = fill(type, withoutTags(merged, removedTags), input.secrets);
  const checked = rules.check(filled);
  if ('faults' in checked) {
    const { problems } = secretsDialect.invalid(checked.faults);
    const others = faultsBeside(type, checked.faults, { ...input, filled, rules, operator });
    throw badRequest(...problems.map(({ detail }) => detail), ...others);
  }
  const given = separate(checked);
  const { settings, warnings } = input.isNew ? asNew(type, given.settings) : { ...given, warnings: [] };
  return {
    document: finish(type, { given: { ...given, settings }, ...input, operator }),
    unknown: checked.unknown,
    warnings,
  };
}

/**
 * The body that would make a stored destination. Sensitive settings are asterisks, and a default name template is left out.
 */
export function bodyOf(row: DestinationRow, namePrefix: string): Record<string, unknown> {
  const isDefault = row.secret_name_template === defaultTemplate(row.granularity, namePrefix);
  const names = destinationOptionNames.filter((name) => name !== 'secret_name_template' || !isDefault);
  return { ...row.settings, ...Object.fromEntries(names.map((name) => [name, row[name]])) };
}

function rulesOf(type: Destination): Rules {
  const known = rulesByType.get(type.type);
  if (known) return known;
  const properties: Record<string, TSchema> = { ...settingsOf(type), ...destinationOptions };
  const patch = Type.Object({ ...properties, tags_to_remove: Type.Optional(Type.Array(Type.String())) });
  const whole = Type.Object(properties);
  const rules = {
    patch,
    check: createValidator(whole, { weak: true }),
    checkPart: createValidator(Type.Partial(whole), { weak: true }),
  };
  rulesByType.set(type.type, rules);
  return rules;
}

function withoutTags(document: Record<string, unknown>, keys: unknown): Record<string, unknown> {
  const tags = document['custom_tags'];
  if (!Array.isArray(keys) || !isJsonObject(tags)) return document;
  return {
    ...document,
    custom_tags: Object.fromEntries(Object.entries(tags).filter(([key]) => !keys.includes(key))),
  };
}

// For command lines an empty text means "not given". Asterisks mean "unchanged".
function fill(
  type: Destination,
  document: Record<string, unknown>,
  secrets: () => Record<string, unknown>,
): Record<string, unknown> {
  let present: Record<string, unknown> | undefined;
  const settings = settingsOf(type);
  const entries = Object.entries(document).flatMap(([name, value]): [string, unknown][] => {
    if (value === '' || isIdleDuration(settings[name], value)) return [];
    const isCredential = Object.hasOwn(settings, name) && isSensitive(type, name);
    if (!isCredential || typeof value !== 'string' || !ONLY_ASTERISKS.test(value)) return [[name, value]];
    present ??= secrets();
    return Object.hasOwn(present, name) ? [[name, present[name]]] : [];
  });
  return Object.fromEntries(entries);
}

// Clients send a duration that nobody chose as zero.
function isIdleDuration(schema: TSchema | undefined, value: unknown): boolean {
  return schema !== undefined && 'duration' in schema && Number(value) === 0;
}

function separate({ value, unknown }: { value: unknown; unknown: string[] }): Given {
  const known = Object.entries(value as object).filter(([name]) => !unknown.includes(name));
  const isOption = ([name]: [string, unknown]): boolean => Object.hasOwn(destinationOptions, name);
  return {
    ...(Object.fromEntries(known.filter(isOption)) as Partial<DestinationOptions>),
    settings: withoutIdleLimits(Object.fromEntries(known.filter((entry) => !isOption(entry)))),
  };
}

// Infrastructure tools send the default that they read along with another granularity, although nobody chose it.
function chosenTemplate({ given, namePrefix, isNew }: Parts): string | undefined {
  const { secret_name_template: sent, granularity } = given;
  const former = granularity === 'secret-key' ? 'secret-path' : 'secret-key';
  return !isNew && sent === defaultTemplate(former, namePrefix) ? undefined : sent;
}

type Parts = {
  given: Given;
  namePrefix: string;
  isNew: boolean;
  operator: OperatorSettings;
  issuer: string;
  subject: string;
};

function resolve(type: Destination, parts: Parts) {
  const { given, namePrefix } = parts;
  const granularity: Granularity = given.granularity ?? type.defaultGranularity;
  const secret_name_template = chosenTemplate(parts) ?? defaultTemplate(granularity, namePrefix);
  return { granularity, secret_name_template, custom_tags: given.custom_tags ?? {} };
}

// What the rules find in the fields that the schema accepts, so that a caller learns of all faults at once.
function faultsBeside(
  type: Destination,
  faults: Fault[],
  { filled, rules, ...parts }: Omit<Parts, 'given'> & { filled: Record<string, unknown>; rules: Rules },
): string[] {
  const faulty = new Set(faults.map(({ pointer }) => pointer.split('/')[1]));
  const checked = rules.checkPart(
    Object.fromEntries(Object.entries(filled).filter(([name]) => !faulty.has(name))),
  );
  if ('faults' in checked) return [];
  const given = separate(checked);
  const whole: Whole = { ...given.settings, ...resolve(type, { ...parts, given }) };
  return rulesFor(type, parts).flatMap((rule) => applyUnlessFaulty(rule, whole, faulty));
}

function finish(type: Destination, parts: Parts): DestinationDocument {
  const { given, operator } = parts;
  const { settings } = given;
  const options = resolve(type, parts);
  const faults = rulesFor(type, parts).flatMap((rule) => rule({ ...settings, ...options }));
  if (faults.length > 0) throw badRequest(...faults);
  const entries = Object.entries(settings);
  return {
    settings: Object.fromEntries(entries.filter(([name]) => !isSensitive(type, name))),
    secrets: Object.fromEntries(entries.filter(([name]) => isSensitive(type, name))),
    container: type.container(settings, operator),
    options: {
      ...options,
      conflict_policy: given.conflict_policy ?? optionDefaults.conflict_policy,
      deletion_policy: given.deletion_policy ?? optionDefaults.deletion_policy,
      on_latest_deleted: given.on_latest_deleted ?? optionDefaults.on_latest_deleted,
      drift_check: given.drift_check ?? optionDefaults.drift_check,
      owner_check_seconds: given.owner_check_seconds ?? optionDefaults.owner_check_seconds,
    },
  };
}
