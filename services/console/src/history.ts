import { createBrowserHistory } from '@tanstack/react-router';

const BASE = '/ui';

/**
 * The addresses of the pages, below the path of the console. A base path of the router itself would read each address as a
 * URL, which loses a blank at its end, and the name of a secret may end in one.
 */
export const history = createBrowserHistory({
  createHref: (href) => `${BASE}${href}`,
  parseLocation: () => {
    const { pathname: full, search, hash } = window.location;
    const pathname = full.slice(BASE.length) || '/';
    const state = window.history.state ?? { key: '', __TSR_key: '', __TSR_index: 0 };
    return { href: `${pathname}${search}${hash}`, pathname, search, hash, state };
  },
});
