import type { Static, TObject, TSchema } from 'typebox';
import type { Problem } from '../errors/request-error.ts';

/** The names of the documents; also their JSON API ids. */
export const SETTINGS_KINDS = ['general', 'cost-estimation', 'saml', 'smtp', 'sms', 'customization'] as const;

export type SettingsKind = (typeof SETTINGS_KINDS)[number];

/** Values of a document by attribute name; JSON only. */
export type Attributes = Record<string, unknown>;

/** Everything the API and the settings worker know about one settings document. */
export type SettingsDefinition = {
  kind: SettingsKind;
  /** The JSON API type. */
  type: string;
  /** All attributes in display order, with their defaults and marks. */
  schema: TObject;
  /**
   * A secret that is set is shown as `*****`, and only asterisks in a request mean "unchanged". Otherwise it is not shown
   * at all.
   */
  masksSecrets?: boolean;
  /** Values of attributes in a document that was stored before these attributes existed; absent: their defaults. */
  formerly?: Attributes;
  /** Whether a stored secret is dropped at a change of its address, because it is not in use; absent: never. */
  dropsSecrets?: (document: Attributes) => boolean;
  /** Resolves aliases and nulls of a request before it is merged. */
  normalise?: (patch: Attributes) => Attributes;
  /** The document after a change; by default each attribute of the change replaces the present one. */
  merge?: (current: Attributes, patch: Attributes) => Attributes;
  /** Problems of the resulting document; `patch` is the original request, for rules about what was just sent. */
  findProblems: (document: Attributes, patch: Attributes) => Problem[];
};

type DefinitionOf<Schema extends TObject> = Omit<SettingsDefinition, 'schema' | 'merge' | 'findProblems'> & {
  schema: Schema;
  merge?: (current: Static<Schema>, patch: Partial<Static<Schema>>) => Static<Schema>;
  findProblems: (document: Static<Schema>, patch: Partial<Static<Schema>>) => Problem[];
};

/** A definition whose rules have the types of its own schema. */
export function defineSettings<Schema extends TObject>(definition: DefinitionOf<Schema>): SettingsDefinition {
  return definition as unknown as SettingsDefinition;
}

/** A mark of an attribute's schema, such as `sensitive`. */
export function hasMark(
  schema: TSchema | undefined,
  mark: 'sensitive' | 'readOnly' | 'writeOnly' | 'address',
): boolean {
  return schema !== undefined && (schema as Record<string, unknown>)[mark] === true;
}

/** An attribute's fault as the API shows it. */
export function attributeProblem(name: string, fault: string): Problem {
  return { title: 'invalid attribute', detail: `${name} ${fault}`, pointer: `/data/attributes/${name}` };
}
