import type { Right } from './right.ts';

/** A refusal of the API, or no answer at all (`status` 0): what to say, and to which field of a form each part belongs. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly problems: Problem[];
  readonly requestId: string;
  /** Seconds, if the API says when to try again. */
  readonly retryAfter: number | null;
  /** The rights that the call needed, if the caller may lack one. */
  readonly rights: Right[];

  constructor(options: {
    status: number;
    problems: Problem[];
    requestId?: string;
    retryAfter?: number | null;
    rights?: Right[];
  }) {
    super(options.problems.map(({ detail }) => detail).join('; '));
    this.name = 'ApiFailure';
    this.status = options.status;
    this.problems = options.problems;
    this.requestId = options.requestId ?? '';
    this.retryAfter = options.retryAfter ?? null;
    this.rights = options.rights ?? [];
  }

  /** The same refusal with other problems. */
  withProblems(problems: Problem[]): ApiFailure {
    const { status, requestId, retryAfter, rights } = this;
    return new ApiFailure({ status, problems, requestId, retryAfter, rights });
  }
}

/** Whether a change was refused because someone else changed the same thing meanwhile. */
export function isOvertaking(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure && error.status === 412;
}

/** `field`: the name of the faulty field, if the API tells. */
export type Problem = { detail: string; field?: string };

/** Whether something is not there, or hidden from the caller. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 404;
}

const FALLBACKS: Record<number, string> = {
  403: 'You don’t have permission.',
  404: 'Not found, or you don’t have access.',
};

// A regular expression says nothing to most people; the description of the field says what it must be. Nor do the
// brackets of a query.
function inWords(detail: string): string {
  return detail
    .replace(/must match pattern .*$/s, 'doesn’t have the required form')
    .replace(/^filter\[([\w-]+)\](?= )/, 'the filter “$1”');
}

/** Reads the errors of either dialect of the API: texts, or objects with a pointer into the document. */
export function readProblems(status: number, body: unknown): Problem[] {
  const errors = (body as { errors?: unknown } | null)?.errors;
  const problems = (Array.isArray(errors) ? errors : []).flatMap((error: unknown): Problem[] => {
    if (typeof error === 'string') return [{ detail: inWords(error) }];
    const { detail, title, source } = error as {
      detail?: string;
      title?: string;
      source?: { pointer?: string };
    };
    const field = source?.pointer?.startsWith('/data/attributes/')
      ? source.pointer.split('/').at(-1)
      : undefined;
    return [{ detail: inWords(detail ?? title ?? ''), ...(field === undefined ? {} : { field }) }];
  });
  const shown = problems.filter(({ detail }) => detail !== '' && detail !== 'not found');
  return shown.length > 0 ? shown : [{ detail: FALLBACKS[status] ?? `The service answered ${status}.` }];
}

/** A refusal of what stands in a field, as the API would put it. */
export function refusalAt(field: string, detail: string): ApiFailure {
  return new ApiFailure({ status: 400, problems: [{ field, detail }] });
}
