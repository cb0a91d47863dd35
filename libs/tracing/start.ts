import { context, propagation, trace } from '@opentelemetry/api';
import { turnTracing } from './trace.ts';

const LIMIT_MS = 3000;

/**
 * Sends the spans of this process to an OpenTelemetry collector (OTLP over HTTP). Without an endpoint nothing is loaded
 * or sent. Returns the undo, which sends the remaining spans.
 */
export async function startTracing(options: {
  service: string;
  endpoint: string;
}): Promise<() => Promise<void>> {
  if (!options.endpoint) return () => Promise.resolve();
  const [sdk, { AsyncLocalStorageContextManager }, core, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const url = `${options.endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: LIMIT_MS });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `sealift-${options.service}` }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, exportTimeoutMillis: LIMIT_MS })],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  turnTracing(true);
  return async () => {
    turnTracing(false);
    // An unreachable collector must not keep a process from ending.
    await provider.shutdown().catch(() => undefined);
    for (const api of [trace, context, propagation]) api.disable();
  };
}
