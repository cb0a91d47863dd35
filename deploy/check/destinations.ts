import type { Destination } from '../../libs/connector/contract.ts';
import type { TagRules } from '../../libs/connector/rules.ts';
import { networkSettings } from '../../libs/connector/network.ts';
import { LONGEST_TEMPLATE, PLACEHOLDERS } from '../../libs/connector/template.ts';
import type { DestinationTypeAnswer, FieldAnswer } from '../../services/api/contract/forms.ts';
import { presentDestinationType } from '../../services/api/presenters/schemas.ts';

/** A field with the keywords of JSON Schema that forms need not know. */
type Field = FieldAnswer & {
  errorMessage?: string;
  items?: Omit<Field, 'name'>;
  patternProperties?: Record<string, Omit<Field, 'name'>>;
  maxItems?: number;
  maxProperties?: number;
};

const INTRODUCTION = `# Destinations

Every option and setting of a destination. A request has all of them side by side in one body, as the
[API guide](api.md#push-it-to-a-store) shows, and the [console](console.md) has the same in its forms. A running service tells them
at \`GET /v1/sys/schemas\`. This page is made from the code by \`npm run fragments\`.

- 🔒 is sealed where it is stored, and reads back as \`*****\`.
- 📌 cannot change while the destination has associations.
- In a \`PATCH\`, \`null\` takes back what was set.
`;

const TEMPLATES = `\`NAME_PREFIX\` stands for that of the [configuration](configuration.md). The placeholders of a template are
${PLACEHOLDERS.map((name) => code(`.${name}`)).join(', ')}; its pipes are \`uppercase\`, \`lowercase\` and \`replace "a" "b"\`.
`;

const BY_TYPE = '[by type](#where-types-differ)';

type Presented = { type: Destination; answer: DestinationTypeAnswer };

/** Renders docs/destinations.md: every option and setting of each destination type. */
export function describeDestinations(types: Destination[]): string {
  const presented = types.map((type) => ({
    type,
    answer: presentDestinationType(type, { namePrefix: 'NAME_PREFIX', issuer: '', namespace: '' }),
  }));
  const ofNetwork = presented[0]?.answer.settings.filter(({ name }) => isOfNetwork(name)) ?? [];
  return [
    INTRODUCTION,
    '## Options of every type\n',
    table(optionRows(presented)),
    TEMPLATES,
    '## Networking limits of every type\n',
    table(ofNetwork.map((field) => rowOf(field))),
    '## Where types differ\n',
    describeDifferences(types),
    ...presented.map(describeType),
  ].join('\n');
}

function optionRows(presented: Presented[]): string[][] {
  const options = new Map(
    presented.flatMap(({ answer }) => answer.options.map((field) => [field.name, field])),
  );
  const templates = Object.values(presented[0]?.answer.default_templates ?? {}).map(code);
  const more: Record<string, { values?: string; fallback?: string }> = {
    granularity: { fallback: BY_TYPE },
    custom_tags: { values: BY_TYPE },
    secret_name_template: {
      values: `at most ${count(LONGEST_TEMPLATE)} characters`,
      fallback: templates.join(', or for keys '),
    },
  };
  return [...options.values()].map((field) => rowOf(field, more[field.name]));
}

function describeDifferences(types: Destination[]): string {
  const rows = types.map(({ title, defaultGranularity, names, limits, tags }) => [
    title,
    code(defaultGranularity),
    namesText(names),
    valuesText(limits),
    entriesText(limits),
    tags ? tagsText(tags) : 'none',
  ]);
  return tableOf(['type', '`granularity`', 'names', 'one value', 'entries', '`custom_tags`'], rows);
}

function namesText({ allowed, replacement, maxLength, pattern, ...rules }: Destination['names']): string {
  const spelling = rules.uppercase ? ', in upper case' : rules.caseInsensitive ? ', in any case' : '';
  const more = pattern ? `; ${pattern.message}` : '';
  return `at most ${maxLength} characters of ${code(allowed.source)}${spelling}; others become ${code(replacement)}${more}`;
}

function valuesText({ valueBytes, totalBytes, refuses }: Destination['limits']): string {
  const together = totalBytes === undefined ? '' : `, ${count(totalBytes)} for all names and values together`;
  return `at most ${count(valueBytes)} bytes${together}${refuses ? `; refused if ${refuses.message}` : ''}`;
}

function tagsText({ max, key, value }: TagRules): string {
  const units = key.mostUnits === undefined ? '' : '; an emoji counts as two characters';
  return `at most ${max}; ${key.message}; ${value.message}${units}`;
}

function entriesText({ entries, entriesOf }: Destination['limits']): string {
  if (entries === undefined) return '–';
  return `at most ${count(entries)}${entriesOf ? ' in most places' : ''}`;
}

function describeType({ type, answer }: Presented): string {
  const names = [type.type, ...type.aliases].map(code).join(' or ');
  const modes = answer.modes.map(({ title, required, fields }) => {
    const more = fields.filter((name) => !required.includes(name)).map(code);
    const parts = [
      ...(required.length > 0 ? [`needs ${required.map(code).join(', ')}`] : []),
      ...(more.length > 0 ? [`takes ${more.join(', ')}`] : []),
    ];
    return `- ${title}${parts.length > 0 ? `: ${parts.join('; ')}` : ''}`;
  });
  const rows = answer.settings
    .filter(({ name }) => !isOfNetwork(name))
    .map((field) =>
      rowOf(field, {
        isFixed: answer.fixed_settings.includes(field.name),
        fallback: settingDefault(field, answer),
      }),
    );
  return [
    `## ${type.title}\n`,
    `In paths: ${names}.\n`,
    ...(modes.length > 0
      ? ['It signs in with one of these ([identity](identity.md) says more):\n', ...modes, '']
      : []),
    table(rows),
  ].join('\n');
}

function settingDefault(field: Field, { when_new: whenNew }: DestinationTypeAnswer): string {
  return field.name in whenNew ? `${code(String(whenNew[field.name]))} if it is new` : defaultOf(field);
}

function isOfNetwork(name: string): boolean {
  return Object.hasOwn(networkSettings, name);
}

function rowOf(
  field: Field,
  { isFixed = false, values = valuesOf(field), fallback = defaultOf(field) } = {},
): string[] {
  const marks = `${field.sensitive ? ' 🔒' : ''}${isFixed ? ' 📌' : ''}`;
  const conditions = Object.entries(field.applies ?? {}).map(
    ([name, needed]) => `${code(name)} is ${[needed].flat().map(code).join(' or ')}`,
  );
  const condition = conditions.length > 0 ? ` Only where ${conditions.join(' and ')}.` : '';
  return [code(field.name) + marks, values, fallback, `${field.description ?? ''}${condition}`];
}

function defaultOf({ is_required: isRequired, applies, type, ...field }: Omit<Field, 'name'>): string {
  if (isRequired) return applies ? '**required** there' : '**required**';
  if (field.default !== undefined) return code(`${field.default as string | number | boolean}`);
  return type === 'boolean' ? code('false') : '–';
}

function valuesOf(field: Omit<Field, 'name'>): string {
  const { type, items, patternProperties, errorMessage, minimum, maximum, maxLength } = field;
  if (field.enum) return field.enum.map(code).join(', ');
  if (type === 'boolean') return '`true` or `false`';
  if (items) return `list of at most ${field.maxItems}: ${valuesOf(items)}`;
  const each = Object.values(patternProperties ?? {})[0];
  if (each) return `map${field.maxProperties ? ` of at most ${field.maxProperties}` : ''}: ${valuesOf(each)}`;
  // What a refusal asks for.
  if (errorMessage) return errorMessage.replace(/^(?:must (?:be|have)|is an invalid [^:]+:) /, '');
  if (type === 'integer') return `${count(minimum ?? 0)} to ${count(maximum ?? Infinity)}`;
  return maxLength === undefined ? 'text' : `at most ${count(maxLength)} characters`;
}

function table(rows: string[][]): string {
  return tableOf(['name', 'values', 'default', 'meaning'], rows);
}

function tableOf(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return [
    ...lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`),
    '',
  ].join('\n');
}

function count(number: number): string {
  return number.toLocaleString('en');
}

function code(text: string): string {
  return `\`${text}\``;
}
