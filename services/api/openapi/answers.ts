import { Type } from 'typebox';
import type { AnswerSchema } from '../routing/endpoint.ts';
import { copiesData } from '../routing/dialects/secrets.ts';
import { MEDIA_TYPE, refusalSchema } from './components.ts';
import { answerOf, type Example } from './example.ts';
import type { DocumentedRow } from './rows.ts';
import { documentSchema, type JsonSchema } from './schemas.ts';

/** The responses of an operation that are no refusals, and the refusals with content of their own. */
export type Answers = { done: JsonSchema; refused: JsonSchema };

type Listed = { row: DocumentedRow; answer: AnswerSchema };

const MEANING: Record<number, string> = {
  101: 'From now on a WebSocket',
  201: 'Created',
  302: 'On to another page',
  303: 'On to another page',
  304: 'Nothing has changed',
  404: 'Deleted, or never there',
  503: 'Something is missing',
};

/** The answers of the rows of an operation, with the examples that show them. */
export function describeAnswers(rows: DocumentedRow[], examples: Example[], refusals: number[]): Answers {
  const [first] = rows;
  if (!first) return { done: {}, refused: {} };
  const byStatus = new Map<number, Listed[]>();
  for (const row of rows) {
    for (const [status, answer] of Object.entries(withWarnings(row))) {
      const listed = byStatus.get(Number(status)) ?? [];
      byStatus.set(Number(status), [...listed, { row, answer }]);
    }
  }
  const responses = [...byStatus].map(([status, listed]) => {
    const shown = examples.filter((example) => example.status === status);
    const refusal = refusals.includes(status)
      ? [{ $ref: `#/components/schemas/${refusalSchema(first.dialect)}` }]
      : [];
    return [status, describe(status, listed, { shown, refusal })] as const;
  });
  return {
    done: Object.fromEntries(responses.filter(([status]) => status < 400)),
    refused: Object.fromEntries(responses.filter(([status]) => status >= 400)),
  };
}

// An answer without a body gets one if there is a warning.
function withWarnings({ answers, dialect, access }: DocumentedRow): Record<number, AnswerSchema> {
  if (dialect !== 'secrets' || access === 'public' || !answers[204]) return answers;
  const { data } = answers[200] ?? {};
  return { ...answers, 200: { data: data ? Type.Union([data, Type.Null()]) : Type.Null() } };
}

function describe(
  status: number,
  listed: Listed[],
  { shown, refusal }: { shown: Example[]; refusal: JsonSchema[] },
): JsonSchema {
  const names = shown.map(({ name }) => name);
  const isText = (example: Example): boolean => typeof example.answer === 'string';
  const schemas = unique(listed.map(({ row, answer }) => schemaOf(row, answer)));
  const bodies = shown.filter((example) => answerOf(example) !== undefined && !isText(example));
  const json = schemas.length === 0 ? [] : [...schemas, ...refusal];
  const texts = [...new Set(listed.flatMap(({ answer }) => answer.types ?? []))];
  const [{ row } = {}] = listed;
  const content = {
    ...(json.length === 0
      ? {}
      : {
          [mediaType(row)]: { schema: json.length === 1 ? json[0] : { anyOf: json }, ...examplesOf(bodies) },
        }),
    ...Object.fromEntries(
      texts.map((type) => [type, { schema: { type: 'string' }, ...examplesOf(shown.filter(isText)) }]),
    ),
  };
  return {
    description: names.length > 0 ? names.join('; ') : (MEANING[status] ?? 'Done'),
    headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}

function schemaOf(row: DocumentedRow, { data, grants, wraps, body }: AnswerSchema): JsonSchema | undefined {
  if (body) return documentSchema(body);
  if (row.dialect === 'admin') return data && documentSchema(data);
  if (!data && !grants && !wraps) return undefined;
  const envelope = copiesData(row.path.slice(1)) ? 'EnvelopeWithCopy' : 'Envelope';
  const nothing = { type: 'null' };
  const properties = {
    data: data ? documentSchema(data) : nothing,
    ...(grants === 'maybe' ? {} : { auth: grants ? { $ref: '#/components/schemas/Auth' } : nothing }),
    ...(wraps ? { wrap_info: { $ref: '#/components/schemas/WrapInfo' } } : {}),
  };
  return { allOf: [{ $ref: `#/components/schemas/${envelope}` }, { type: 'object', properties }] };
}

function unique(schemas: (JsonSchema | undefined)[]): JsonSchema[] {
  const known = schemas.filter((schema) => schema !== undefined);
  return [...new Map(known.map((schema) => [JSON.stringify(schema), schema])).values()];
}

function examplesOf(examples: Example[]): JsonSchema {
  if (examples.length === 0) return {};
  const shown = examples.map((example) => [example.name, { value: answerOf(example) }]);
  return { examples: Object.fromEntries(shown) };
}

function mediaType(row: DocumentedRow | undefined): string {
  return MEDIA_TYPE[row?.path.startsWith('/api/') ? 'admin' : 'secrets'];
}
