import { createRootRoute, retainSearchParams } from '@tanstack/react-router';
import { goToNamespace } from './api/namespace.ts';
import { FailureNotice } from './kit/failure-notice.tsx';
import { PageNotFound } from './kit/refusing/not-found.tsx';
import { textIn } from './searches.ts';
import { Shell } from './shell/shell.tsx';

/** The namespace of every page. It stays when the user goes to another page; absent: that of the caller's token. */
type Place = { ns?: string | undefined };

/** The frame of every page. */
export const root = createRootRoute({
  validateSearch: (search: Record<string, unknown>): Place => ({ ns: textIn(search['ns']) }),
  search: { middlewares: [retainSearchParams(['ns'])] },
  beforeLoad: ({ search }) => goToNamespace(search.ns ?? ''),
  component: Shell,
  notFoundComponent: PageNotFound,
  errorComponent: ({ error }) => <FailureNotice failure={error} retry={() => window.location.reload()} />,
});
