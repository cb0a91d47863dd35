import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { summaryQuery } from '../../api/summary.ts';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { StoreTable } from './store-table.tsx';

export function Destinations() {
  const connect = (
    <Link to="/connect" className={`${kit.button} ${kit.primary}`}>
      Connect a destination
    </Link>
  );
  return (
    <Page title="Destinations" about="The stores that secrets are synced to." actions={connect}>
      <Loaded query={useQuery(summaryQuery)}>
        {({ destinations, disabled }) =>
          destinations.length === 0 ? (
            <Empty title="No destinations yet" action={connect}>
              A destination is a connection to one external store, such as AWS Secrets Manager.
            </Empty>
          ) : (
            <StoreTable destinations={destinations} isPaused={disabled} />
          )
        }
      </Loaded>
    </Page>
  );
}
