"""The one way to ask a service anything: bounded, patient, and silent about keys."""

from paperrec_adapters.web.answers import Answer, Policy
from paperrec_adapters.web.asking import Web
from paperrec_adapters.web.bridge import zotero_client

__all__ = ["Answer", "Policy", "Web", "zotero_client"]
