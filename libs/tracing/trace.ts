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

/** The trace that a piece of work belongs to. */
export type Trace = Context;

export type SpanOptions = {
  /** Patterns, types, ids and codes only: never a path, a name or a value. */
  attributes?: Attributes;
  kind?: 'server' | 'producer' | 'consumer' | 'client' | 'internal';
  /** Absent: the active span here. */
  parent?: Trace;
};

const kinds = {
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
};

// While tracing is off, no spans are created: even empty ones cost noticeable time at each request and each call.
let isOn = false;
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Turns spans on or off; only `startTracing` calls it. */
export function turnTracing(isEnabled: boolean): void {
  isOn = isEnabled;
}

/** Whether spans are created. */
export function isTracing(): boolean {
  return isOn;
}

/** Runs an action as a span of the trace. Errors pass through; the span keeps only their code. */
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

/** The active trace, for work that continues elsewhere in this process; undefined if there is none. */
export function currentTrace(): Trace | undefined {
  if (!isOn) return undefined;
  const active = context.active();
  return trace.getSpan(active) ? active : undefined;
}

/** The active trace as headers of a message or a request; empty while tracing is off. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  if (isOn) propagation.inject(context.active(), headers);
  return headers;
}

/** The trace named by headers; headers without one, or with invalid ones, start a new trace. */
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

/** No trace: work that starts here belongs to nothing earlier. */
export const noTrace: Trace = ROOT_CONTEXT;

// The text of an error may contain anything.
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
