"""What users of hvac do, one function for each test. Prints what came of it as JSON."""

import json
import os
import sys

import hvac
from hvac import exceptions


def connect(token=None):
    return hvac.Client(url=os.environ["SEALIFT_URL"], token=token or os.environ["SEALIFT_TOKEN"])


def refusal(call, *args, **options):
    try:
        call(*args, **options)
    except exceptions.VaultError as error:
        return [type(error).__name__, *(error.errors or [])]
    return "taken"


def versions():
    client = connect()
    kv = client.secrets.kv.v2
    kv.create_or_update_secret("py/app", {"a": "1"}, cas=0)
    kv.patch("py/app", {"b": "2"})
    kv.update_metadata("py/app", max_versions=4, custom_metadata={"team": "red"})
    latest = kv.read_secret_version("py/app", raise_on_deleted_version=True)["data"]
    kv.delete_latest_version_of_secret("py/app")
    deleted = kv.read_secret_version("py/app", raise_on_deleted_version=False)["data"]
    raised = refusal(kv.read_secret_version, "py/app", raise_on_deleted_version=True)
    kv.undelete_secret_versions("py/app", [2])
    kv.destroy_secret_versions("py/app", [1])
    metadata = kv.read_secret_metadata("py/app")["data"]
    return {
        "latest": latest["data"],
        "custom_metadata": latest["metadata"]["custom_metadata"],
        "deleted": deleted["data"],
        "raised": raised[0],
        "destroyed": metadata["versions"]["1"]["destroyed"],
        "listed": kv.list_secrets("py")["data"]["keys"],
        "wrong_cas": [refusal(kv.create_or_update_secret, "py/app", {}, cas=cas) for cas in (0, -1)],
    }


def mounts():
    client = connect()
    client.sys.enable_secrets_engine("kv", path="py-one", options={"version": "1"})
    kv = client.secrets.kv.v1
    kv.create_or_update_secret("x/y", {"a": "1"}, mount_point="py-one")
    client.sys.move_backend("py-one", "py-two")
    client.sys.tune_mount_configuration("py-two", default_lease_ttl="3600s", description="moved")
    tuned = client.sys.read_mount_configuration("py-two")["data"]
    read = kv.read_secret("x/y", mount_point="py-two")["data"]
    listed = kv.list_secrets("x", mount_point="py-two")["data"]["keys"]
    client.sys.disable_secrets_engine("py-two")
    return {
        "read": read,
        "listed": listed,
        "default_lease_ttl": tuned["default_lease_ttl"],
        "gone": refusal(kv.read_secret, "x/y", mount_point="py-two")[0],
    }


def policies():
    client = connect()
    text = '# may read\npath "secret/data/py/*" {\n  capabilities = ["read"]\n}\n'
    client.sys.create_or_update_policy("py", text)
    client.sys.create_or_update_acl_policy("py-acl", {"path": {"secret/*": {"policy": "deny"}}})
    token = client.auth.token.create(policies=["py"])["auth"]["client_token"]
    client.secrets.kv.v2.create_or_update_secret("py/read", {"a": "1"})
    limited = connect(token)
    result = {
        "text": client.sys.read_policy("py")["data"]["rules"],
        "listed": [name for name in client.sys.list_policies()["data"]["policies"] if name.startswith("py")],
        "capabilities": client.sys.get_capabilities(["secret/data/py/read"], token=token)["data"]["capabilities"],
        "read": limited.secrets.kv.v2.read_secret_version("py/read", raise_on_deleted_version=True)["data"]["data"],
        "refused": refusal(limited.secrets.kv.v2.create_or_update_secret, "py/read", {}),
    }
    for name in ("py", "py-acl"):
        client.sys.delete_policy(name)
    return result


def tokens():
    client = connect()
    api = client.auth.token
    api.create_or_update_role("py", allowed_policies=["default"], token_period="1h", path_suffix="py")
    auth = api.create(role_name="py")["auth"]
    looked_up = api.lookup_accessor(auth["accessor"])["data"]
    renewed = api.renew(auth["client_token"])["auth"]
    api.revoke_accessor(auth["accessor"])
    result = {
        "path": looked_up["path"],
        "period": looked_up["period"],
        "policies": renewed["token_policies"],
        "revoked": refusal(connect(auth["client_token"]).auth.token.lookup_self)[0],
        "unknown_accessor": refusal(api.lookup_accessor, auth["accessor"])[0],
        "roles": api.list_roles()["data"]["keys"],
    }
    api.tidy()
    api.delete_role("py")
    return result


def plain_paths():
    client = connect()
    client.secrets.kv.v2.create_or_update_secret("py-list/app", {"a": "1"})
    client.sys.create_or_update_policy("py-exact", 'path "a" { capabilities = ["read"] }')
    client.write("cubbyhole/py/app", a="1")
    token = client.auth.token.create(policies=["default"])["auth"]["client_token"]
    result = {
        "listed": client.list("secret/metadata/py-list")["data"],
        "policy": client.sys.read_policy("py-exact")["data"],
        "acl_policy": client.sys.read_acl_policy("py-exact")["data"],
        "kept": client.read("cubbyhole/py/app")["data"],
        "kept_names": client.list("cubbyhole/py")["data"],
        "of_others": connect(token).read("cubbyhole/py/app"),
        "mount": client.sys.read_mount_configuration("secret")["default_lease_ttl"],
        "renewed": refusal(client.auth.token.renew_self),
        "tidied": client.auth.token.tidy()["data"],
    }
    client.delete("cubbyhole/py/app")
    result["deleted"] = client.read("cubbyhole/py/app")
    client.sys.delete_policy("py-exact")
    return result


def wrapping():
    client = connect()
    client.secrets.kv.v2.create_or_update_secret("py/wrapped", {"a": "1"})
    wrapped = client.sys.wrap(payload={"a": "1"}, ttl=60)["wrap_info"]
    created = client.auth.token.create(policies=["default"], wrap_ttl="1m")
    return {
        "plain": client.sys.unwrap(token=wrapped["token"])["data"],
        "again": refusal(client.sys.unwrap, token=wrapped["token"]),
        "hidden": created["auth"],
        "policies": client.sys.unwrap(token=created["wrap_info"]["token"])["auth"]["policies"],
    }


def approle():
    client = connect()
    client.sys.enable_auth_method("approle", path="py-approle", description="ours")
    client.sys.tune_auth_method("py-approle", default_lease_ttl="20m")
    method = client.auth.approle
    at = {"mount_point": "py-approle"}
    method.create_or_update_approle("web", token_policies=["default"], token_max_ttl="1h", secret_id_ttl="2h", **at)
    role_id = method.read_role_id("web", **at)["data"]["role_id"]
    made = method.generate_secret_id("web", metadata={"host": "a"}, **at)["data"]
    own = method.create_custom_secret_id("web", "chosen-by-hvac", metadata={"host": "b"}, **at)["data"]
    machine = connect("slt.of-yesterday")
    login = machine.auth.approle.login(role_id, made["secret_id"], **at)["auth"]
    result = {
        "enabled": client.sys.list_auth_methods()["data"]["py-approle/"]["type"],
        "tuned": client.sys.read_auth_method_tuning("py-approle")["data"]["default_lease_ttl"],
        "roles": method.list_roles(**at)["data"]["keys"],
        "metadata": login["metadata"],
        "lease_duration": login["lease_duration"],
        "name": machine.auth.token.lookup_self()["data"]["display_name"],
        "found": method.read_secret_id("web", made["secret_id"], **at)["data"]["metadata"],
        "by_accessor": method.read_secret_id_accessor("web", own["secret_id_accessor"], **at)["data"]["metadata"],
        "listed": len(method.list_secret_id_accessors("web", **at)["data"]["keys"]),
        "wrong": refusal(machine.auth.approle.login, role_id, "wrong", **at),
    }
    method.destroy_secret_id("web", made["secret_id"], **at)
    method.destroy_secret_id_accessor("web", own["secret_id_accessor"], **at)
    result["tidied"] = client.write("auth/py-approle/tidy/secret-id").status_code
    result["destroyed"] = refusal(method.list_secret_id_accessors, "web", **at)[0]
    method.delete_role("web", **at)
    client.sys.disable_auth_method("py-approle")
    return result


def jwt():
    client = connect()
    client.sys.enable_auth_method("jwt", path="py-jwt")
    method = client.auth.jwt
    at = {"path": "py-jwt"}
    method.configure(
        jwt_validation_pubkeys=[os.environ["ISSUER_KEY"]], bound_issuer="https://ci.example", **at
    )
    method.create_role(
        "ci",
        role_type="jwt",
        user_claim="sub",
        bound_subject="job",
        allowed_redirect_uris=[],
        token_ttl=600,
        **at,
    )
    machine = connect("slt.of-yesterday")
    login = machine.auth.jwt.jwt_login("ci", os.environ["ISSUER_TOKEN"], **at)["auth"]
    result = {
        "issuer": method.read_config(**at)["data"]["bound_issuer"],
        "roles": method.list_roles(**at)["data"]["keys"],
        "subject": method.read_role("ci", **at)["data"]["bound_subject"],
        "metadata": login["metadata"],
        "lease_duration": login["lease_duration"],
        "name": machine.auth.token.lookup_self()["data"]["display_name"],
    }
    method.delete_role("ci", **at)
    client.sys.disable_auth_method("py-jwt")
    return result


def kubernetes():
    client = connect()
    client.sys.enable_auth_method("kubernetes", path="py-kubernetes")
    method = client.auth.kubernetes
    at = {"mount_point": "py-kubernetes"}
    host = os.environ["CLUSTER_URL"]
    method.configure(
        host,
        kubernetes_ca_cert=os.environ["CLUSTER_CA"],
        token_reviewer_jwt=os.environ["REVIEWER_TOKEN"],
        **at,
    )
    method.create_role("web", ["api"], ["shop", "shop-*"], ttl="10m", policies=["default"], audience="sealift", **at)
    machine = connect("slt.of-yesterday")
    reviewed = machine.auth.kubernetes.login("web", os.environ["POD_TOKEN"], mount_point="py-kubernetes")["auth"]
    result = {
        "host": method.read_config(**at)["kubernetes_host"] == host,
        "reviewer": [method.read_config(**at).get(name) for name in ("token_reviewer_jwt_set", "token_reviewer_jwt")],
        "roles": method.list_roles(**at)["keys"],
        "namespaces": method.read_role("web", **at)["bound_service_account_namespaces"],
        "account": reviewed["metadata"]["service_account_name"],
        "lease_duration": reviewed["lease_duration"],
        "name": machine.auth.token.lookup_self()["data"]["display_name"],
        "wrong": refusal(method.login, "web", os.environ["OTHER_TOKEN"], use_token=False, mount_point="py-kubernetes"),
    }
    # Its own method takes certificates only.
    keys = {"pem_keys": [os.environ["CLUSTER_KEY"]], "issuer": os.environ["CLUSTER_ISSUER"]}
    client.write_data("auth/py-kubernetes/config", data={"kubernetes_host": host, **keys})
    local = machine.auth.kubernetes.login("web", os.environ["POD_TOKEN"], mount_point="py-kubernetes")["auth"]
    result["local"] = local["metadata"] == reviewed["metadata"]
    method.delete_role("web", **at)
    client.sys.disable_auth_method("py-kubernetes")
    return result


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]]()))
