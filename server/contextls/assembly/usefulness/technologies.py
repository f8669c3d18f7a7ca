"""Names of services, formats and tools that a workspace either speaks of or has nothing to do with.

None of them is a word of English as well: "spark", "rails" and "vault" may mean anything.
"""

from __future__ import annotations

from contextls.text.word_set import word_set

TECHNOLOGIES = word_set(
    """
    redis memcached kafka rabbitmq activemq zeromq amqp mqtt celery sidekiq kinesis sqs sns pubsub
    postgres postgresql mysql mariadb sqlite mongodb mongo cassandra dynamodb couchdb couchbase cockroachdb neo4j clickhouse
    influxdb leveldb rocksdb etcd zookeeper bigquery redshift snowflake databricks hadoop airflow
    elasticsearch opensearch solr lucene
    kubernetes k8s kubectl docker podman containerd terraform ansible vagrant istio envoy traefik nginx haproxy
    aws azure gcp ec2 ecs eks s3 cloudfront cloudwatch cloudflare firebase supabase
    jwt oauth oauth2 openid oidc saml ldap kerberos totp webauthn auth0 okta cognito keycloak
    graphql grpc protobuf thrift avro parquet openapi swagger websocket websockets webrtc quic smtp imap
    grafana kibana prometheus opentelemetry datadog splunk statsd
    jenkins circleci gitlab bitbucket jira telegram paypal braintree twilio sendgrid mailgun
    tensorflow pytorch keras numpy pandas webpack babel eslint django laravel symfony wordpress drupal bluetooth nfc
    """
)
