import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { adminEndpoints, publicEndpoints, secretsEndpoints } from '../../services/api/endpoints/index.ts';
import { catalog } from '../../services/connectors/catalog.ts';
import { createDocument } from '../../services/api/openapi/document.ts';
import { findOperations, operationsOf, type Operation } from './operations.ts';
import type { Answer } from './client.ts';

type Media = { schema?: object };
type Response = { $ref?: string; content?: Record<string, Media> };
type Document = {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: { responses: Record<string, Response> };
};

/** A call as the client made it; `wraps`: it asked for a wrapped answer. */
export type Call = { method: string; path: string; wraps: boolean };

// Refusals of a path that the document does not have.
const REFUSALS = new Set([400, 401, 403, 404, 405, 413, 429, 503]);
const ENVELOPE = '#/components/schemas/Envelope';

type Known = { document: Document; operations: Operation[]; ajv: Ajv2020 };

let loaded: { types: number; known: Promise<Known> } | undefined;
const validators = new Map<string, ValidateFunction>();

/** What the OpenAPI document does not allow in an answer; undefined if it allows the answer. */
export async function findAnswerFault(call: Call, answer: Answer): Promise<string | undefined> {
  const known = await load();
  const found = findOperations(known.operations, call);
  if (!found) return undefined;
  const { own, isInMount } = found;
  // A path that a mount of version 2 does not have, explained.
  if (
    isInMount &&
    answer.status === 404 &&
    answer.body?.data === null &&
    validate(known, ENVELOPE, answer.body) === ''
  )
    return undefined;
  if (own.length === 0) {
    if (REFUSALS.has(answer.status)) return undefined;
    return `${call.method} ${call.path} is not in the document and answers ${answer.status}`;
  }
  const faults = own.map((operation) => faultOf(known, operation, { call, answer }));
  return faults.includes(undefined) ? undefined : faults[0];
}

function faultOf(
  known: Known,
  { path, verb }: Operation,
  { call, answer }: { call: Call; answer: Answer },
): string | undefined {
  const { document } = known;
  const name = `${verb.toUpperCase()} ${path}`;
  let pointer = `#/paths/${escape(path)}/${verb}/responses/${answer.status}`;
  let response = document.paths[path]?.[verb]?.responses[String(answer.status)];
  if (!response) return `${name} does not list ${answer.status}: ${answer.text.slice(0, 300)}`;
  if (response.$ref !== undefined) {
    pointer = response.$ref;
    response = document.components.responses[response.$ref.split('/').at(-1) ?? ''];
  }
  // Nothing of a HEAD, and some answers are empty only without warnings.
  if (answer.text === '') return undefined;
  const type = String(answer.headers['content-type'] ?? '').split(';', 1)[0] ?? '';
  if (!response?.content?.[type])
    return `${name} ${answer.status} lists no content of the type ${type}: ${answer.text.slice(0, 300)}`;
  if (!type.includes('json') || type.includes('jsonl')) return undefined;
  const isWrapped = call.wraps && answer.body?.wrap_info;
  const schema = isWrapped ? ENVELOPE : `${pointer}/content/${escape(type)}/schema`;
  const fault = validate(known, schema, answer.body);
  return fault === '' ? undefined : `${name} ${answer.status}: ${fault} in ${answer.text.slice(0, 2000)}`;
}

// Empty if the value fits. Each schema is compiled when an answer needs it for the first time.
function validate({ ajv }: Known, pointer: string, value: unknown): string {
  const check = validators.get(pointer) ?? ajv.getSchema(`api${pointer}`);
  if (!check) throw new Error(`the document has no ${pointer}`);
  validators.set(pointer, check);
  if (check(value)) return '';
  return (check.errors ?? [])
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
    .join('; ');
}

function escape(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function load(): Promise<Known> {
  // Some tests add a destination type while they run.
  if (loaded?.types !== catalog.length) loaded = { types: catalog.length, known: read() };
  return loaded.known;
}

async function read(): Promise<Known> {
  const tables = { secrets: [...publicEndpoints, ...secretsEndpoints], admin: adminEndpoints };
  const document = (await createDocument(tables)) as unknown as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, logger: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'api');
  validators.clear();
  return { document, operations: operationsOf(document.paths), ajv };
}
