import { Link } from '@tanstack/react-router';
import { Page } from '../page.tsx';

/** The page of an address that has none. */
export function PageNotFound() {
  return (
    <Page title="Page not found">
      <p>
        <Link to="/">Go to the overview</Link>
      </p>
    </Page>
  );
}
