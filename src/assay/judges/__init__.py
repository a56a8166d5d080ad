"""Language models as judges of translations: requests to a server, protocols, and replies read strictly."""
