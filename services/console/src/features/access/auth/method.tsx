import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { SchemasAnswer } from '../../../../../api/contract/forms.ts';
import { schemasQuery } from '../../../api/queries.ts';
import { Loaded } from '../../../kit/page.tsx';
import { AccessPage } from '../access-page.tsx';
import { JwtConfig } from './jwt-config.tsx';
import { KubernetesConfig } from './kubernetes-config.tsx';
import { MethodActions } from './method-actions.tsx';
import { METHODS, methodsQuery, type AuthMethod } from './queries.ts';
import { Role } from './role.tsx';
import { Roles } from './roles.tsx';

const route = getRouteApi('/access/auth/$');

/** One auth method with its roles, or one of these. */
export function Method() {
  const { _splat: path = '' } = route.useParams();
  const { role } = route.useSearch();
  const methods = useQuery(methodsQuery);
  const schemas = useQuery(schemasQuery);
  const method = methods.data?.find((one) => one.path === path);
  const title = role === undefined ? `${path}/` : role;
  const isReady = method !== undefined && schemas.data !== undefined && role === undefined;
  return (
    <AccessPage
      title={title}
      rights={[METHODS]}
      here="/access/auth-methods"
      about={
        role === undefined ? (
          `Auth method. Machines log in at auth/${path}/login.`
        ) : (
          <>
            Role of{' '}
            <Link to="/access/auth/$" params={{ _splat: path }} search={{}}>
              {path}/
            </Link>
          </>
        )
      }
      actions={isReady ? <MethodActions method={method} tuning={schemas.data.auth_tuning} /> : null}
    >
      <Loaded query={methods}>
        {() => (
          <Loaded query={schemas}>
            {(found) =>
              method ? (
                <Content method={method} role={role} schemas={found} />
              ) : (
                <p>There is no auth method at {path}/.</p>
              )
            }
          </Loaded>
        )}
      </Loaded>
    </AccessPage>
  );
}

function Content({
  method,
  role,
  schemas,
}: {
  method: AuthMethod;
  role: string | undefined;
  schemas: SchemasAnswer;
}) {
  const kind = schemas.auth_methods.find(({ type }) => type === method.type);
  if (!kind) return <p>Tokens are on the page Tokens.</p>;
  if (role !== undefined) return <Role key={role} method={method} kind={kind} name={role} />;
  return (
    <>
      {kind.type === 'jwt' ? <JwtConfig method={method} kind={kind} /> : null}
      {kind.type === 'kubernetes' ? <KubernetesConfig method={method} kind={kind} /> : null}
      <Roles method={method} kind={kind} />
    </>
  );
}
