"""A program that uses the API as somebody who is signed in."""

from django.contrib.auth.models import User
from rest_framework.test import APIClient


def client_of(user: User) -> APIClient:
    """What `user` can do over HTTP."""
    client = APIClient()
    client.force_authenticate(user)
    return client
