import {
  context,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';

/** What a piece of work belongs to. */
export type Trace = Context;

export type SpanOptions = {
  /** Patterns, types, ids and codes only: never a path, a name or a value. */
  attributes?: Attributes;
  kind?: 'server' | 'producer' | 'consumer' | 'client' | 'internal';
  /** Absent: whatever is under way here. */
  parent?: Trace;
};

const kinds = {
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
};

// While nobody is told of spans none are made: the cost of an empty one shows at each request and each call.
let isOn = false;
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Spans are made from now on, or no more; for `startTracing` alone. */
export function turnTracing(on: boolean): void {
  isOn = on;
}

/** Whether anybody is told of spans. */
export function isTracing(): boolean {
  return isOn;
}

/** Runs an action as a span of the trace; what it throws passes through, and only its code is kept. */
export function withSpan<Result>(
  name: string,
  { attributes = {}, kind = 'internal', parent }: SpanOptions,
  action: (span: Span) => Promise<Result>,
): Promise<Result> {
  if (!isOn) return action(NO_SPAN);
  const tracer = trace.getTracer('sealift');
  const options = { attributes, kind: kinds[kind] };
  return tracer.startActiveSpan(name, options, parent ?? context.active(), async (span) => {
    try {
      return await action(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: codeOf(error) });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The trace under way, for work that goes on elsewhere in this process; undefined where there is none. */
export function currentTrace(): Trace | undefined {
  if (!isOn) return undefined;
  const active = context.active();
  return trace.getSpan(active) ? active : undefined;
}

/** The trace under way as headers of a message or a request; none while tracing is off. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  if (isOn) propagation.inject(context.active(), headers);
  return headers;
}

/** The trace that headers tell of; headers without one, or with rubbish, begin a new one. */
export function traceFrom(headers: Record<string, unknown> | undefined): Trace {
  if (!isOn) return noTrace;
  return propagation.extract(ROOT_CONTEXT, headers ?? {}, {
    keys: (carrier) => Object.keys(carrier),
    get: (carrier, key) => {
      const value = carrier[key];
      return typeof value === 'string' ? value : undefined;
    },
  });
}

/** No trace: what begins here belongs to nothing before. */
export const noTrace: Trace = ROOT_CONTEXT;

// The text of an error may hold anything.
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
