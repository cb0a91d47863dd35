import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { MountUsageAnswer } from '../../../../../api/contract/mounts.ts';
import { carryOut, pathOf } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { useDestinationName } from '../../../api/vendors.ts';
import { ConfirmByName } from '../../../kit/confirm.tsx';
import kit from '../../../kit/kit.module.css';
import { forgetUnsaved } from '../../../kit/leaving/unsaved.ts';
import { Notice } from '../../../kit/notice.tsx';
import { Loaded } from '../../../kit/page.tsx';
import { counted } from '../../../kit/text/counted.ts';
import { mountUsageQuery } from '../queries.ts';

/** Deletes a mount with all its secrets, after it has said what hangs on it. A mount with linked secrets stays. */
export function DeleteMount({ mount, close }: { mount: string; close: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const usage = useQuery(mountUsageQuery(mount));
  const removal: Call = { method: 'DELETE', path: `sys/mounts/${pathOf(mount)}` };
  return (
    <ConfirmByName
      title={`Delete ${mount}/`}
      name={mount}
      action="Delete mount and secrets"
      isBlocked={usage.isPending || (usage.data?.links ?? 0) > 0}
      close={close}
      call={removal}
      carryOut={async () => {
        await carryOut(removal);
        forgetUnsaved();
        await navigate({ to: '/secrets/$', params: { _splat: '' } });
        await queries.invalidateQueries();
      }}
    >
      <Loaded query={usage}>{(found) => <Usage of={found} mount={mount} />}</Loaded>
    </ConfirmByName>
  );
}

function Usage({
  of: { secrets, links, is_complete: isComplete, destinations },
  mount,
}: {
  of: MountUsageAnswer;
  mount: string;
}) {
  const nameOf = useDestinationName();
  const atLeast = isComplete ? '' : 'at least ';
  return (
    <>
      <p>
        {secrets === 0
          ? 'It has no secrets.'
          : `${capital(`${atLeast}${counted(secrets, 'secret')}`)} with all versions will be deleted immediately and permanently.`}
      </p>
      {links > 0 ? (
        <Notice tone="limited">
          <p>
            {capital(`${atLeast}${counted(links, 'link')}`)} to destinations {links === 1 ? 'is' : 'are'} in
            the way. Unlink them first, so that you decide what becomes of their entries:
          </p>
          <ul>
            {destinations.map(({ type, name, links: count }) => (
              <li key={`${type}/${name}`} className={kit.row}>
                <Link to="/destinations/$type/$name" params={{ type, name }} search={{ q: `${mount}/` }}>
                  {nameOf(type, name)}
                </Link>
                <span className={kit.muted}>{counted(count, 'link')}</span>
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
    </>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
