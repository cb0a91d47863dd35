import type { Static, TObject, TSchema } from 'typebox';
import type { Problem } from '../errors/request-error.ts';

/** Which document; also its JSON API id. */
export type SettingsKind = 'general' | 'cost-estimation' | 'saml' | 'smtp' | 'sms' | 'customization';

/** Values of a document by attribute name; JSON only. */
export type Attributes = Record<string, unknown>;

/** Everything the API and the settings worker know about one settings document. */
export type SettingsDefinition = {
  kind: SettingsKind;
  /** The JSON API type. */
  type: string;
  /** Every attribute in the order it is shown, with its default and its marks. */
  schema: TObject;
  /** Secrets that are set read `*****` and only asterisks in a request mean "unchanged"; else they are not shown at all. */
  masksSecrets?: boolean;
  /** What a request means, before it is merged: aliases, nulls. */
  normalise?: (patch: Attributes) => Attributes;
  /** The document after a change; by default every attribute of the change replaces the present one. */
  merge?: (current: Attributes, patch: Attributes) => Attributes;
  /** What is wrong with the document as it would be; `asked` is the request as it came, for rules about what was just sent. */
  findProblems: (document: Attributes, asked: Attributes) => Problem[];
};

type DefinitionOf<Schema extends TObject> = Omit<SettingsDefinition, 'schema' | 'merge' | 'findProblems'> & {
  schema: Schema;
  merge?: (current: Static<Schema>, patch: Partial<Static<Schema>>) => Static<Schema>;
  findProblems: (document: Static<Schema>, asked: Partial<Static<Schema>>) => Problem[];
};

/** A definition whose rules are typed by its own schema. */
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
