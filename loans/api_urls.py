"""Addresses of the lending API."""

from django.urls import URLPattern

app_name = "loans-api"
urlpatterns: list[URLPattern] = []
