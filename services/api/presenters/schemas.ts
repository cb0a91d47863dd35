import { Type, type TObject, type TSchema } from 'typebox';
import type { Destination } from '../../../libs/connector/contract.ts';
import { tokenIssuer, tokenSubject } from '../../../libs/connector/identity/identity.ts';
import { defaultTemplate } from '../../../libs/connector/names.ts';
import { settingsOf } from '../../../libs/connector/settings.ts';
import type { SettingsDefinition } from '../../../libs/settings/definition.ts';
import { alertDefaults, alertFields } from '../alert-fields.ts';
import { destinationOptions, optionDefaults } from '../destination-options.ts';
import type { DestinationTypeAnswer, FieldAnswer, SettingsKindAnswer } from '../contract/forms.ts';

/** An action on settings, with the attributes that it takes. */
export type SettingsAction = {
  path: string;
  title: string;
  description: string;
  irrevocable: boolean;
  attributes?: TObject;
};

export type SettingsExtras = { resource?: string; mayBeAbsent?: boolean; actions?: SettingsAction[] };

/** A destination type: its settings and options as the JSON Schema that Ajv checks, and the rules of its names. */
export function presentDestinationType(
  type: Destination,
  { namePrefix, issuer, namespace }: { namePrefix: string; issuer: string; namespace: string },
): DestinationTypeAnswer {
  const { custom_tags: _tags, ...options } = destinationOptions;
  return {
    type: type.type,
    aliases: type.aliases,
    title: type.title,
    settings: presentFields(settingsOf(type), type.settings.required),
    options: presentFields(type.tags ? destinationOptions : options).map((field) =>
      withDefault(field, optionDefaults),
    ),
    fixed_settings: type.fixedSettings,
    modes: (type.modes ?? []).map(({ steps, usual = {}, ...mode }) => ({
      ...mode,
      usual,
      steps: steps.map(({ text, code = null, when = null, unless = null }) => ({ text, code, when, unless })),
    })),
    identity: type.identity
      ? { iss: tokenIssuer(issuer, namespace), sub: tokenSubject(type, { namespace, name: '{name}' }) }
      : null,
    when_new: type.whenNew?.({}).settings ?? {},
    default_granularity: type.defaultGranularity,
    default_templates: {
      'secret-path': defaultTemplate('secret-path', namePrefix),
      'secret-key': defaultTemplate('secret-key', namePrefix),
    },
    names: {
      allowed: type.names.allowed.source,
      replacement: type.names.replacement,
      max_length: type.names.maxLength,
    },
    limits: { value_bytes: type.limits.valueBytes, entries: type.limits.entries ?? null },
  };
}

/** A settings document of the site: its attributes as JSON Schema, and the actions on it. */
export function presentSettingsKind(
  { kind, type, schema }: Pick<SettingsDefinition, 'type' | 'schema'> & { kind: string },
  { resource = type, mayBeAbsent = false, actions = [] }: SettingsExtras = {},
): SettingsKindAnswer {
  return {
    kind,
    type,
    resource,
    may_be_absent: mayBeAbsent,
    attributes: presentFields(schema.properties),
    actions: actions.map(({ attributes = Type.Object({}), ...action }) => ({
      ...action,
      attributes: presentFields(attributes.properties),
    })),
  };
}

/** The fields of a rule for alerts. */
export function presentAlertFields(): FieldAnswer[] {
  return presentFields(alertFields).map((field) => withDefault(field, alertDefaults));
}

/**
 * The fields of a form. A list, because it keeps the order of the schema. `needed`: the field is required where it
 * applies; `leftOut`: what counts without it, which is not stored.
 */
export function presentFields(properties: Record<string, TSchema>, required: string[] = []): FieldAnswer[] {
  return Object.entries(properties).map(([name, { needed, leftOut, ...schema }]: [string, FormSchema]) => ({
    name,
    ...schema,
    ...(leftOut === undefined ? {} : { default: leftOut }),
    ...(needed || required.includes(name) ? { is_required: true } : {}),
  }));
}

type FormSchema = TSchema & { needed?: boolean; leftOut?: string };

// The schemas themselves have no defaults: the service fills in what is missing only after a change was merged.
function withDefault(field: FieldAnswer, defaults: Record<string, unknown>): FieldAnswer {
  return Object.hasOwn(defaults, field.name) ? { ...field, default: defaults[field.name] } : field;
}
